"""Figures drawn as SVG by our own hand: the same bytes everywhere."""
