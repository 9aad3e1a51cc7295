"""Exact posterior of the binary count models by nested quadrature."""
