"""The agreement coefficients, each with its standard error."""
