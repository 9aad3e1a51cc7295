"""Rich text in the faces there are: a bold that is not among them would be smeared from a lighter one."""

from PySide6.QtWidgets import QLabel

# The letters of the model are semi-bold italic (look.md §2); nothing else is written so.
FACES = {"b": "font-weight:600", "i": "font-weight:600;font-style:italic"}


class Rich(QLabel):
    """A label that shows bold words in semi-bold."""

    def __init__(self, words: str) -> None:
        super().__init__()
        self._said = ""
        self.setText(words)

    def text(self) -> str:
        """The words as they were given."""
        return self._said

    def setText(self, words: str) -> None:
        """Show words."""
        self._said = words
        for mark, face in FACES.items():
            begin = " ".join(("<span", f'style="{face}">'))
            words = words.replace(f"<{mark}>", begin).replace(f"</{mark}>", "</span>")
        super().setText(words)
