"""What rows and columns stand for, and the ratings they hold."""
