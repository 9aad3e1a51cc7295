"""The methods that estimate a model, and the fit they return."""
