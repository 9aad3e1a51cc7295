"""Simulated worlds with known truth, read as a user's file is read, and how often what is said of them is false."""
