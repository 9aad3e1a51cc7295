import pytest
from PySide6.QtGui import QColor, QFontInfo, QPalette

from tapdesk.gui.theme.theme import ColourScheme, Theme, font, palette, tokens
from tapdesk.gui.widgets.messages import Headline, without_options


def luminance(name):
    def linear(c):
        return c / 12.92 if c <= 0.03928 else ((c + 0.055) / 1.055) ** 2.4

    colour = QColor(name)
    return 0.2126 * linear(colour.redF()) + 0.7152 * linear(colour.greenF()) + 0.0722 * linear(colour.blueF())


def contrast(one, other):
    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)


TEXT = [(text, ground) for text in ("text", "text2", "text3") for ground in ("window", "rail", "surface", "sunken")] + [
    ("text", "soft"),
    ("accent", "surface"),
    ("accent", "window"),
    ("accent", "soft"),
    ("onaccent", "accent"),
    ("know", "knowsoft"),
    ("text", "knowsoft"),
    ("text", "stopsoft"),
    ("text2", "stopsoft"),
    ("stop", "stopsoft"),
]
GRAPHICS = [("control", "surface"), ("control", "window"), ("axis", "surface"), ("rand", "surface"), ("accent", "b95")]


@pytest.mark.parametrize("look", list(ColourScheme))
def test_every_text_colour_stands_out_from_every_ground_it_is_used_on(look):
    names = tokens(look)
    low = {pair: contrast(names[pair[0]], names[pair[1]]) for pair in TEXT}
    assert {pair: c for pair, c in low.items() if c < 4.5} == {}


@pytest.mark.parametrize("look", list(ColourScheme))
def test_edges_and_lines_that_carry_meaning_stand_out(look):
    names = tokens(look)
    low = {pair: contrast(names[pair[0]], names[pair[1]]) for pair in GRAPHICS}
    assert {pair: c for pair, c in low.items() if c < 3.0} == {}


def test_high_contrast_is_higher_than_the_others():
    told = {look: contrast(tokens(look)["text3"], tokens(look)["surface"]) for look in ColourScheme}
    assert told[ColourScheme.CONTRAST] > 7
    assert told[ColourScheme.CONTRAST] == max(told.values())


@pytest.mark.parametrize("look", list(ColourScheme))
def test_disabled_controls_have_colours_of_their_own_that_can_still_be_read(look):
    made = palette(tokens(look))
    disabled, active = QPalette.ColorGroup.Disabled, QPalette.ColorGroup.Active
    role = QPalette.ColorRole
    assert made.color(disabled, role.Text) != made.color(active, role.Text)
    assert contrast(made.color(disabled, role.ButtonText), made.color(disabled, role.Button)) >= 4.5


@pytest.mark.usefixtures("dressed")
def test_the_bundled_face_is_used_and_not_one_of_the_machine():
    for weight in (400, 600):
        assert QFontInfo(font(13, font(13).Weight(weight))).family() == "Inter"


@pytest.mark.usefixtures("dressed")
def test_text_size_is_kept_between_80_and_200_per_cent():
    theme = Theme()
    theme.use(scale=500)
    assert theme.scale == 200
    theme.use(scale=10)
    assert theme.scale == 80
    theme.use(scale=100)


def test_a_change_of_theme_changes_palette_and_tells_painted_widgets(dressed, qtbot):
    theme = Theme()
    with qtbot.waitSignal(theme.changed):
        theme.use(look=ColourScheme.DARK)
    assert dressed.palette().color(QPalette.ColorRole.Window) == QColor(tokens(ColourScheme.DARK)["window"])
    theme.use(look=ColourScheme.LIGHT)


def test_the_link_of_the_headline_takes_the_colour_of_another_look(qtbot, theme):
    headline = Headline(theme, lambda: None)
    qtbot.addWidget(headline)
    headline.resize(900, 120)
    headline.say("A sentence.", "What follows.", warn=False)
    headline.show()

    def inks():
        qtbot.wait(20)
        picture = headline._consequence.grab().toImage()
        return {picture.pixelColor(x, y).name() for x in range(picture.width()) for y in range(picture.height())}

    light = theme.colour("accent").name()
    assert light in inks()
    theme.use(ColourScheme.DARK)
    assert light not in inks()
    assert theme.colour("accent").name() in inks()
    theme.use(ColourScheme.LIGHT)


def test_a_column_whose_name_holds_a_full_stop_leaves_no_torn_sentence_where_options_are_left_out():
    told = 'If so, leave it out: --columns "Fr. Huber,Hr. Maier". If it is one like the others, name all (--columns).'
    assert without_options(told) == "If it is one like the others, name all."
