"""The figures of the papers, computed again: one function for each, from what was asked to a table."""
