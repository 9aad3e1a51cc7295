"""The dataset pane's parts: how a file was read, what was noticed, what is done about it."""
