"""The model pane: the question, its choices, the run as it goes, and the analyses of a project."""
