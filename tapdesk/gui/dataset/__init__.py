"""The dataset pane: start, reading, checks, categories and the table of ratings."""
