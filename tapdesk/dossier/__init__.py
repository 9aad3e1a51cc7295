"""The validation dossier: what this copy of the program computes, held against what is kept."""
