"""What a report says: sections, figures and words, and how they are set."""
