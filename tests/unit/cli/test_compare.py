"""`loopwright compare`."""

import loopwright as lw

from .typed import answered, typed


def test_every_formulation_agrees_and_is_timed():
    answer = answered("compare", "four_bar")
    rows = {row["name"]: row for row in answer["rows"]}
    assert list(rows) == ["system", "multiplier", "subsystem", "embedding", "sparse", "legs", "springs"]
    (chosen,) = [name for name, row in rows.items() if row["chosen"]]
    dyn = lw.Dynamics(lw.zoo.four_bar())
    assert chosen == dyn.formulation.name
    assert rows[chosen]["counts"]["total"] == dyn.count("forward").total
    for name, row in rows.items():
        assert row["why_not"] == ""
        assert row["side_by_side"] > 0.0
        assert row["one_by_one"] > 0.0
        # springs hold a loop only once it has opened
        assert row["apart"] is None if name == "springs" else row["apart"] < 1e-11


def test_a_table_says_which_is_taken_and_which_cannot_be():
    done = typed("compare", "robotic_leg", "--untimed")
    assert done.exit_code == 0
    assert "robotic_leg: forward dynamics" in done.stdout
    assert "embedding *" in done.stdout
    assert "taken when none is asked for: embedding: " in done.stdout
    assert "legs: formulation 'legs' is for parallel architectures" in done.stdout


def test_a_mechanism_without_loops_has_algorithms():
    rows = {row["name"]: row for row in answered("compare", "planar_3r", "--untimed")["rows"]}
    assert list(rows) == ["aba", "denoc", "crba", "gah", "noc"]
    assert rows["crba"]["chosen"]
    assert rows["crba"]["counts"]["total"] == lw.Dynamics(lw.zoo.planar_3r()).count("forward", algorithm="crba").total


def test_a_family_and_its_plot(tmp_path):
    file = tmp_path / "growth.svg"
    answer = answered("compare", "n_four_bar", "--over", "n=1,3", "--untimed", "--plot", str(file))
    assert answer["over"] == "n"
    totals = {
        n: {row["name"]: row["counts"]["total"] for row in rows if row["counts"]}
        for n, rows in answer["values"].items()
    }
    assert list(totals) == ["1", "3"]
    assert all(totals["3"][name] > totals["1"][name] for name in totals["3"])
    assert file.read_text(encoding="utf-8").startswith("<?xml")
    assert typed("compare", "four_bar", "--untimed", "--plot", str(tmp_path / "bars.png")).exit_code == 0


def test_the_plot_says_which_exact_one_is_the_least():
    from loopwright.program import Counts
    from loopwright.verbs.comparison import Compared
    from loopwright.view import comparison_figure

    def one(name, operations, soft=False):
        return Compared(name, "", False, soft, Counts(operations, 0, 0, 0, 0, 0))

    rows = [
        one("system", 30),
        Compared("legs", "", False, why_not="no legs"),
        one("sparse", 20),
        one("springs", 10, True),
    ]
    (bars,) = comparison_figure({0.0: rows}, "by hand").axes  # no times, so no panels of times
    assert [text.get_text() for text in bars.texts] == [" 30", " 20  wins", " 10"]
    assert [label.get_text() for label in bars.get_yticklabels()] == ["system", "sparse", "springs (soft)"]
    (lines,) = comparison_figure({1.0: rows, 2.0: [one("system", 15), one("sparse", 40)]}, "by hand", "n").axes
    ring = next(line for line in lines.lines if line.get_label() == "wins")
    assert ring.get_ydata().tolist() == [20, 15]


def test_typed_wrong():
    done = typed("compare", "n_four_bar", "--over", "n")
    assert done.exit_code == 2
    assert "should be NAME=A,B" in done.stderr
    assert typed("compare", "four_bar", "--over", "n=1,2").exit_code == 2
