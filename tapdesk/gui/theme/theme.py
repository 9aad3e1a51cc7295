"""Colours, type and frames of the window: Fusion with palettes of our own."""

import json
from enum import Enum

from PySide6.QtCore import QLocale, QObject, Qt, Signal
from PySide6.QtGui import QColor, QFont, QFontDatabase, QPalette
from PySide6.QtWidgets import QApplication

from tapdesk import resources
from tapdesk.gui.theme.style_sheet import sheet
from tapdesk.language import POINT, Signs, Voice, wanted_language

FAMILY = "Inter"
INTER = ("Inter-Regular", "Inter-Medium", "Inter-SemiBold", "Inter-Italic", "Inter-SemiBoldItalic")
# The others are for names that Inter has no letters for.
FACES = (*(f"{face}.otf" for face in INTER), *resources.OTHER_FACES)
SMALLEST, LARGEST = 80, 200
# Point sizes are pixels at the 96 dots per inch that app.run asks Qt for; unlike pixel sizes they may be fractions.
POINTS_PER_PIXEL = 0.75


class ColourScheme(Enum):
    """Which palette; the value is the name in ``tokens.json``."""

    LIGHT = "light"
    DARK = "dark"
    CONTRAST = "contrast"


def tokens(look: ColourScheme) -> dict[str, str]:
    """The named colours of a palette, as #RRGGBB."""
    everything: dict[str, dict[str, str]] = json.loads(resources.path("tokens.json").read_text("utf-8"))
    return everything[look.value]


def palette(colours: dict[str, str]) -> QPalette:
    """The Qt palette of the named colours, the Disabled group set by hand: Qt derives none."""
    roles = {
        QPalette.ColorRole.Window: "window",
        QPalette.ColorRole.WindowText: "text",
        QPalette.ColorRole.Base: "surface",
        QPalette.ColorRole.AlternateBase: "sunken",
        QPalette.ColorRole.Text: "text",
        QPalette.ColorRole.Button: "surface",
        QPalette.ColorRole.ButtonText: "text",
        QPalette.ColorRole.BrightText: "onaccent",
        QPalette.ColorRole.ToolTipBase: "surface",
        QPalette.ColorRole.ToolTipText: "text",
        QPalette.ColorRole.PlaceholderText: "text3",
        QPalette.ColorRole.Highlight: "accent",
        QPalette.ColorRole.HighlightedText: "onaccent",
        QPalette.ColorRole.Accent: "accent",
        QPalette.ColorRole.Link: "accent",
        QPalette.ColorRole.LinkVisited: "accent",
        QPalette.ColorRole.Light: "surface",
        QPalette.ColorRole.Midlight: "sunken",
        QPalette.ColorRole.Mid: "line",
        QPalette.ColorRole.Dark: "control",
        QPalette.ColorRole.Shadow: "line",
    }
    made = QPalette()
    for role, name in roles.items():
        made.setColor(role, QColor(colours[name]))
    disabled = QPalette.ColorGroup.Disabled
    for role in (QPalette.ColorRole.WindowText, QPalette.ColorRole.Text, QPalette.ColorRole.ButtonText):
        made.setColor(disabled, role, QColor(colours["off"]))
    for role in (QPalette.ColorRole.Button, QPalette.ColorRole.Base):
        made.setColor(disabled, role, QColor(colours["window"]))
    made.setColor(disabled, QPalette.ColorRole.Highlight, QColor(colours["line"]))
    made.setColor(disabled, QPalette.ColorRole.HighlightedText, QColor(colours["text"]))
    return made


def application() -> QApplication:
    """The running application.

    Raises
    ------
    TypeError
        When there is none yet.
    """
    app = QApplication.instance()
    if not isinstance(app, QApplication):
        raise TypeError("a window needs a QApplication first")
    return app


def add_fonts() -> None:
    """Make the bundled faces known to Qt; a clean Linux system has no font at all.

    Raises
    ------
    FileNotFoundError
        When a face is missing from the installation.
    """
    for face in FACES:
        if QFontDatabase.addApplicationFont(str(resources.path("fonts", face))) < 0:
            raise FileNotFoundError(f"the font {face} is missing or damaged")


def font(pixels: float, weight: QFont.Weight = QFont.Weight.Normal, *, italic: bool = False) -> QFont:
    """The interface font with tabular figures and no hinting."""
    made = QFont(FAMILY)
    made.setPointSizeF(pixels * POINTS_PER_PIXEL)
    made.setWeight(weight)
    made.setItalic(italic)
    made.setFeature(QFont.Tag("tnum"), 1)
    made.setHintingPreference(QFont.HintingPreference.PreferNoHinting)
    return made


class Theme(QObject):
    """The colours and the text size in use.

    Attributes
    ----------
    changed
        Emitted after the application has been dressed anew; painted widgets and plots repaint on it.
    """

    changed = Signal()

    def __init__(self, look: ColourScheme = ColourScheme.LIGHT, scale: int = 100) -> None:
        super().__init__()
        self.look = look
        self.scale = scale
        self._tokens = tokens(look)

    @property
    def names(self) -> dict[str, str]:
        """The named colours in use, as #RRGGBB."""
        return self._tokens

    def colour(self, name: str) -> QColor:
        """One named colour."""
        return QColor(self._tokens[name])

    def px(self, pixels: float) -> int:
        """A length that grows with the text size."""
        return round(pixels * self.scale / 100)

    def font(self, pixels: float, weight: QFont.Weight = QFont.Weight.Normal, *, italic: bool = False) -> QFont:
        """The interface font at the text size in use."""
        return font(pixels * self.scale / 100, weight, italic=italic)

    def use(self, look: ColourScheme | None = None, scale: int | None = None) -> None:
        """Change palette or text size (per cent, 80 to 200) and dress the application."""
        self.look = self.look if look is None else look
        self.scale = self.scale if scale is None else min(max(scale, SMALLEST), LARGEST)
        self._tokens = tokens(self.look)
        self.dress()

    def dress(self) -> None:
        """Give the application the style, palette, font and frames of the theme."""
        self.ground()
        application().setStyleSheet(sheet(self._tokens, self.scale))
        self.changed.emit()

    def ground(self) -> None:
        """Give the application all but the frames.

        While there are frames, each widget that is put into another is dressed anew with all inside it; a whole window
        is built in a third of the time before.
        """
        app = application()
        if not app.styleSheet():
            app.setStyle("Fusion")
        # Each of these dresses every widget anew: what has not changed is left alone.
        if app.palette() != palette(self._tokens):
            app.setPalette(palette(self._tokens))
        if app.font() != self.font(13):
            app.setFont(self.font(13))


def system_look() -> ColourScheme:
    """The palette the platform asks for; light where it says nothing."""
    hints = QApplication.styleHints()
    return ColourScheme.DARK if hints.colorScheme() is Qt.ColorScheme.Dark else ColourScheme.LIGHT


def signs() -> Signs:
    """The signs of the computer; the point where they could be misread beside digits written 0 to 9."""
    locale = QLocale()
    decimal, thousands = locale.decimalPoint(), locale.groupSeparator()
    if locale.zeroDigit() != "0" or len(decimal) != 1 or thousands == decimal:
        return POINT
    grouped = not locale.numberOptions() & QLocale.NumberOption.OmitGroupSeparator
    return Signs(decimal, thousands if grouped else "")


def screen() -> Voice:
    """The voice of the screen: its language, and the signs of the computer."""
    return Voice(language=wanted_language(), signs=signs())
