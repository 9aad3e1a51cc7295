"""Tables that this program writes, cleaned ratings and blank rating sheets, and how they come back."""
