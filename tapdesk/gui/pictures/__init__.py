"""Pictures in the window: figures as the report prints them, and curves that grow while something runs."""
