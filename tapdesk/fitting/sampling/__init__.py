"""Posterior draws by Hamiltonian Monte Carlo, many chains side by side."""
