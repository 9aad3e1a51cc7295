"""The report pane: pages, own words, saving, printing, verifying."""
