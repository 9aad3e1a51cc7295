"""The help names fields of the JSON that there are."""

import json

from tapdesk.cli.main import main
from tapdesk.cli.option import FIELDS


def test_every_field_the_help_explains_is_in_the_answer(tmp_path, capsys):
    rows = (f"c{i},{'yes' if i % 3 else 'no'},{'yes' if i % 4 else 'no'}" for i in range(60))
    sheet = tmp_path / "two.csv"
    sheet.write_text("\n".join(("case,A,B", *rows)) + "\n")
    assert main(["fit", str(sheet), "--model", "t-a-t", "--subjects", "--json"]) == 0
    fit = json.loads(capsys.readouterr().out)["fits"][0]
    for path in FIELDS:
        found = fit
        for key in path.split("."):
            found = found[0][key] if isinstance(found, list) else found[key]
        assert found is not None, path
