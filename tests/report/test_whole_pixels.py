"""A picture made of dots has every row and every column of its drawing, whatever its number of dots."""

import io

import numpy as np
import pytest
from PIL import Image

from tapdesk.report.forms.pdf import drawing_file

WIDTH, HEIGHT = 480.0, 240.0


@pytest.mark.parametrize("ppi", [50, 60, 75, 80, 90, 100, 110, 133, 150, 192])
def test_no_row_or_column_is_lost_or_doubled(ppi):
    ground = f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#888888"/>'
    drawing = (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" viewBox="0 0 {WIDTH} {HEIGHT}">'
        f"{ground}</svg>"
    )
    made = drawing_file(drawing, ".png", title="t", alt="a", width=WIDTH, ppi=ppi)
    dots = np.asarray(Image.open(io.BytesIO(made)).convert("L"))
    inked = dots < 255
    across, high = (np.flatnonzero(inked.any(axis=side)) for side in (0, 1))
    assert across.size == pytest.approx(WIDTH * ppi / 96, abs=0.999)
    assert high.size == pytest.approx(HEIGHT * ppi / 96, abs=0.999)
    # The margin is the same on all sides, in whole dots, and nothing within is anything but the ground.
    left, top = across[0], high[0]
    assert dots.shape == (high.size + 2 * top, across.size + 2 * left)
    assert left == top
    inside = dots[top + 1 : high[-1], left + 1 : across[-1]]
    assert inside.min() == inside.max() == 0x88
