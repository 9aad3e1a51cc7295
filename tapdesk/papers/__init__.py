"""The papers reproduced: the numbers behind each of their figures, the picture, and the page of them all."""
