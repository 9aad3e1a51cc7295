"""Of ranks no accuracy stands in the headline; Kendall's W is told, in the window's answer and on the command line."""

import json

from tapdesk.answers.parts import BLOCKS, part
from tapdesk.cli.main import main
from tests.ratings.test_ranks import places, wide


def written(tmp_path):
    file = tmp_path / "ranks.csv"
    file.write_text(wide(places()), encoding="utf-8")
    return str(file)


def test_the_block_of_the_coefficients_tells_them_and_no_empty_block_stands_where_there_are_none():
    assert "ranks" not in {row.key for row in BLOCKS}
    assert part("ranks").block == "coefficients"


def test_agree_tells_kendalls_w_and_the_mean_ranks(tmp_path, capsys):
    assert main(["agree", written(tmp_path)]) == 0
    text = capsys.readouterr().out
    assert "How alike are the orders?" in text
    assert "Wines by their mean rank" in text
    assert "1 is the same order by all raters, and 0.25 is what luck alone gives" in " ".join(text.split())


def test_the_headline_of_a_fit_gives_no_accuracy_of_ranks(tmp_path, capsys):
    file = written(tmp_path)
    assert main(["fit", file, "--json"]) == 0
    answer = json.loads(capsys.readouterr().out)
    assert "ranks" in json.dumps(answer)
    assert main(["fit", file]) == 0
    text = " ".join(capsys.readouterr().out.split())
    assert "The ratings are ranks: read how alike the raters put the wines in order, not an accuracy." in text
    assert "of 100 ratings follow" not in text[: text.index("Fit:")]
    assert main(["fit", file, "--cuts", "4"]) == 0
    assert "are ranks" not in capsys.readouterr().out
