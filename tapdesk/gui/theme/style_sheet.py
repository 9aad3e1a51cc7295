"""The style sheet: type roles, tones and frames, made from the colours and the text size."""

from collections.abc import Mapping

# look.md §2: role -> pixels, weight.
TYPES: Mapping[str, tuple[float, int]] = {
    "start": (24, 600),
    "title": (20, 600),
    "headline": (19, 600),
    "number": (26, 600),
    "question": (14.5, 600),
    "action": (16, 600),
    "lead": (14, 400),
    "card": (14, 600),
    "strong": (13, 600),
    "body": (13, 400),
    "consequence": (13.5, 400),
    "small": (12, 400),
    "smallstrong": (12.5, 600),
    "caption": (11.5, 400),
}

FRAMES = """
QToolTip {{ background: {surface}; color: {text}; border: 1px solid {control}; padding: 4px 6px; }}
QMainWindow, QDialog {{ background: {window}; }}
QMenuBar {{ background: {rail}; color: {text2}; border-bottom: 1px solid {line}; padding: 0 6px;
  font-size: {p125}pt; }}
QMenuBar::item {{ background: transparent; padding: 7px 10px; }}
QMenuBar::item:selected {{ background: {soft}; color: {text}; }}
QMenu {{ background: {surface}; color: {text}; border: 1px solid {control}; padding: 4px 0; }}
QMenu::item {{ padding: 5px 26px 5px 26px; }}
QMenu::item:selected {{ background: {soft}; color: {text}; }}
QMenu::item:disabled {{ color: {off}; }}
QMenu::separator {{ height: 1px; background: {line}; margin: 4px 0; }}
QFrame[role="rail"] {{ background: {rail}; border: none; border-right: 1px solid {line}; }}
QFrame[role="status"] {{ background: {rail}; border: none; border-top: 1px solid {line}; }}
QFrame[role="foot"] {{ border: none; border-top: 1px solid {line}; }}
QFrame[role="card"] {{ background: {surface}; border: 1px solid {line}; border-radius: 6px; }}
QFrame[role="first"] {{ background: {surface}; border: 1px solid {accent}; border-radius: 6px; }}
QFrame[role="stop"] {{ background: {stopsoft}; border: 1px solid {stop}; border-radius: 6px; }}
QFrame[role="know"] {{ background: {knowsoft}; border: 1px solid {know}; border-radius: 6px; }}
QFrame[role="headline"] {{ background: {surface}; border: 1px solid {line}; border-left: 4px solid {accent};
  border-radius: 6px; }}
QFrame[role="warning"] {{ background: {surface}; border: 1px solid {line}; border-left: 4px solid {know};
  border-radius: 6px; }}
QFrame[role="sentence"] {{ background: {soft}; border: none; }}
QFrame[role="wrong"] {{ background: {stopsoft}; border: none; }}
QFrame[role="rule"] {{ background: {line}; border: none; }}
QFrame[role="desk"] {{ background: {line}; border: none; }}
QFrame[role="sheet"] {{ background: {surface}; border: 1px solid {control}; }}
QFrame[role="row"] {{ background: {surface}; border: 1px solid {line}; border-radius: 5px; }}
QFrame[role="picked"] {{ background: {soft}; border: 1px solid {accent}; border-radius: 5px; }}
QScrollArea, QScrollArea > QWidget > QWidget[role="scrolled"] {{ background: transparent; border: none; }}
QPushButton {{ background: {surface}; color: {text}; border: 1px solid {control}; border-radius: 5px;
  padding: 0 14px; min-height: {h30}px; font-weight: 500; }}
QPushButton[size="small"] {{ padding: 0 10px; min-height: {h24}px; font-size: {p12}pt; }}
QPushButton:hover {{ background: {soft}; }}
QPushButton:pressed {{ background: {sunken}; }}
QPushButton:disabled {{ background: {window}; color: {off}; border: 1px {unset} {line}; }}
QPushButton[kind="primary"] {{ background: {accent}; color: {onaccent}; border-color: {accent}; font-weight: 600; }}
QPushButton[kind="primary"]:disabled {{ background: {window}; color: {off}; border: 1px {unset} {line}; }}
QPushButton[kind="menu"] {{ padding-right: {h32}px; }}
QPushButton::menu-indicator {{ image: none; width: 0; }}
QPushButton[kind="link"] {{ background: transparent; color: {accent}; border: none; padding: 0; min-height: 0;
  text-align: left; font-size: {p12}pt; }}
QPushButton[kind="link"]:hover {{ text-decoration: underline; }}
QPushButton[kind="link"]:disabled {{ color: {off}; background: transparent; border: none; }}
QToolButton {{ background: transparent; border: none; border-radius: 4px; padding: 3px; color: {text2}; }}
QToolButton:hover {{ background: {soft}; }}
QComboBox, QSpinBox, QLineEdit {{ background: {surface}; color: {text}; border: 1px solid {control};
  border-radius: 5px; padding: 0 10px; min-height: {h26}px; selection-background-color: {accent};
  selection-color: {onaccent}; }}
QComboBox {{ padding-right: {arrow}px; }}
QComboBox::drop-down {{ border: none; width: 0; }}
QComboBox:disabled, QSpinBox:disabled, QLineEdit:disabled {{ background: {window}; color: {off};
  border: 1px {unset} {line}; }}
QComboBox QAbstractItemView {{ background: {surface}; color: {text}; border: 1px solid {control};
  selection-background-color: {soft}; selection-color: {text}; outline: none; }}
QTableView {{ background: {surface}; color: {text}; border: none; gridline-color: {line};
  selection-background-color: {soft}; selection-color: {text}; font-size: {p125}pt; outline: none; }}
QTableView::item {{ padding: 0 6px; }}
QTableView[lines="rows"]::item {{ border-bottom: 1px solid {line}; }}
QTableView::item:focus {{ border: 2px solid {accent}; padding: 0 4px; }}
QHeaderView {{ background: {sunken}; border: none; }}
QHeaderView::section {{ background: {sunken}; color: {text2}; border: none; border-right: 1px solid {line};
  border-bottom: 1px solid {line}; padding: 0 7px; font-weight: 500; font-size: {p12}pt; }}
QTableView[lines="rows"] QHeaderView::section {{ border-right: none; padding-left: 9px; }}
QAbstractScrollArea::corner {{ background: transparent; border: none; }}
QTableCornerButton::section {{ background: {sunken}; border: none; border-right: 1px solid {line};
  border-bottom: 1px solid {line}; }}
QTextEdit, QPlainTextEdit {{ background: {surface}; color: {text}; border: 1px solid {control}; border-radius: 5px; }}
QLineEdit, QTextEdit, QPlainTextEdit {{ placeholder-text-color: {text3}; }}
QTextBrowser {{ padding: 4px; }}
QListWidget[role="pages"] {{
    background: {surface}; color: {text}; border: 1px solid {line}; border-radius: 6px; outline: none;
}}
QListWidget[role="pages"]::item {{ padding: 6px 8px; }}
QListWidget[role="pages"]::item:selected {{ background: {soft}; color: {text}; }}
QScrollBar:vertical {{ background: transparent; width: 10px; margin: 0; }}
QScrollBar:horizontal {{ background: transparent; height: 10px; margin: 0; }}
QScrollBar::handle {{ background: {control}; border-radius: 3px; margin: 2px; min-height: 24px; min-width: 24px; }}
QScrollBar::add-line, QScrollBar::sub-line, QScrollBar::add-page, QScrollBar::sub-page {{ background: none;
  border: none; width: 0; height: 0; }}
"""

TONES = {"2": "text2", "3": "text3", "accent": "accent", "know": "know", "stop": "stop"}


def sheet(colours: Mapping[str, str], scale: int) -> str:
    """The style sheet of a palette at a text size in per cent."""

    def points(pixels: float) -> str:
        return f"{pixels * 0.75 * scale / 100:.4g}"

    grown = {f"h{n}": str(round(n * max(scale, 100) / 100)) for n in (24, 26, 30, 32)}
    # Where the edges of all controls are as bright as can be, what cannot be used has another edge.
    grown["unset"] = "dashed" if colours["off"] != colours["text3"] else "solid"
    grown["arrow"] = str(round(26 * max(scale, 100) / 100))
    sizes = {"p12": points(12), "p125": points(12.5)}
    rules = [FRAMES.format(**colours, **grown, **sizes)]
    rules += [
        f'*[type="{name}"] {{ font-size: {points(pixels)}pt; font-weight: {weight}; }}'
        for name, (pixels, weight) in TYPES.items()
    ]
    rules += [f'QLabel[tone="{name}"] {{ color: {colours[token]}; }}' for name, token in TONES.items()]
    return "\n".join(rules)
