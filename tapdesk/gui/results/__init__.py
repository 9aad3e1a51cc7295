"""The results pane and its blocks."""
