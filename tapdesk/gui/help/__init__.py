"""What explains the program in the program."""
