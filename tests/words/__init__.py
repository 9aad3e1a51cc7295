"""Whether what is said is true: simulated worlds, claims and the list of all sentences."""
