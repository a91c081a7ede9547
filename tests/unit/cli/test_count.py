"""`loopwright count`."""

import pytest

import loopwright as lw
from loopwright.program import Counts

from .typed import answered, typed


def test_every_algorithm_beside_the_literature():
    done = typed("count", "puma560")
    assert done.exit_code == 0
    lines = done.stdout.splitlines()
    (row,) = [line.split() for line in lines if line.startswith(" mass_matrix   gah ")]
    counts = lw.Dynamics(lw.zoo.puma560()).count("mass_matrix", algorithm="gah")
    assert row[2:4] == [str(counts.multiplications), str(counts.additions)]
    assert done.stdout.count("482 / 426  Provenzano et al. 2002") == 1
    assert "copies of copies" in done.stdout


def test_for_a_program():
    answer = answered("count", "puma560")
    assert answer["name"] == "puma560"
    rows = {(row["quantity"], row["algorithm"]): row for row in answer["rows"]}
    counts = dict(rows["inverse", "rnea"]["counts"])
    assert counts.pop("total") == Counts(**counts).total
    assert Counts(**counts) == lw.Dynamics(lw.zoo.puma560()).count("inverse", algorithm="rnea")
    assert rows["inverse", "rnea"]["literature"][0] == {
        "name": "Balafoutis, Patel 1991",
        "source": "[Balafoutis1991]",
        "confirmed": True,
        "multiplications": 450.0,
        "additions": 386.0,
    }


def test_one_quantity_or_one_algorithm():
    assert {row["quantity"] for row in answered("count", "planar_3r", "--quantity", "inverse")["rows"]} == {"inverse"}
    by_crba = answered("count", "planar_3r", "--algorithm", "crba")["rows"]
    assert [row["quantity"] for row in by_crba] == ["forward", "mass_matrix"]
    (bias,) = answered("count", "planar_3r", "--quantity", "bias")["rows"]
    assert (bias["algorithm"], bias["counts"]["divisions"]) == ("", 0)


def test_parameters_of_the_mechanism():
    long, short = (answered("count", "chain", "-p", f"n={n}", "--algorithm", "aba")["rows"][0] for n in (6, 3))
    assert long["counts"]["total"] > short["counts"]["total"]


def test_what_cannot_be_counted_says_why():
    done = typed("count", "four_bar")
    assert done.exit_code == 0
    assert "forward aba: algorithm='aba' is for trees; 'four_bar' has loops" in done.stdout
    assert "with its loops open at the cuts" in done.stdout
    assert "open at the cuts" not in typed("count", "planar_3r", "--quantity", "inverse").stdout
    assert "mass_matrix   crba" in done.stdout
    rows = answered("count", "four_bar", "--quantity", "forward")["rows"]
    assert all(row["counts"] is None and "has loops" in row["why_not"] for row in rows)


@pytest.mark.parametrize(
    "words, complaint",
    [
        (("--quantity", "speed"), "no quantity 'speed'; there are forward, inverse"),
        (("--algorithm", "abba"), "no algorithm 'abba'; there are aba, denoc"),
        (("--quantity", "bias", "--algorithm", "aba"), "there are none to choose"),
    ],
)
def test_mistyped_names(words, complaint):
    done = typed("count", "planar_3r", *words)
    assert done.exit_code == 2
    assert complaint in " ".join(done.output.replace("│", " ").split())


def test_the_plot_of_one_quantity(tmp_path):
    answer = answered("count", "planar_3r", "--quantity", "inverse", "--out", str(tmp_path / "new"))
    (file,) = answer["files"].values()
    assert (tmp_path / "new" / "operations_inverse.png").read_bytes()[:4] == b"\x89PNG"
    assert file.endswith("operations_inverse.png")
    # nothing to compare, nothing drawn
    assert answered("count", "planar_3r", "--quantity", "bias", "--out", str(tmp_path / "none"))["files"] == {}
    assert not (tmp_path / "none").exists()
