"""The window around the panes: the open document, its files, menus and dialogs."""
