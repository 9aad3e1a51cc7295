"""The parts of the report pane: pages, outline, words, saving, printing, verifying."""
