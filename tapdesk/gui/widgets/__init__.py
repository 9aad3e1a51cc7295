"""The small parts every pane is put together from."""
