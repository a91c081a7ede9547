"""The picture of operations over freedoms."""

from loopwright.verbs.growth import Line
from loopwright.view import operations_figure

OURS, THEIRS = Line("aba", "", (1, 2, 3), (4.0, 80.0, 200.0)), Line("aba", "a book", (2, 3), (90.0, 250.0))
OTHER = Line("crba", "", (1, 2), (3.0, 50.0))


def test_a_panel_for_every_kind_of_chain():
    figure = operations_figure({"one": [OURS, THEIRS, OTHER], "two": [OURS], "three": [OTHER]}, "forward")
    axes = figure.get_axes()
    assert [ax.get_title(loc="left") for ax in axes[:3]] == ["one", "two", "three"]
    assert [len(ax.get_lines()) for ax in axes[:3]] == [3, 1, 1]
    for ax in axes[:3]:
        (low, high), most = ax.get_ylim(), max(max(line.get_ydata()) for line in ax.get_lines())
        assert low == 0
        assert high >= most
    (legend,) = figure.legends
    assert [text.get_text() for text in legend.get_texts()] == [
        "aba, counted here",
        "aba: a book",
        "crba, counted here",
    ]


def test_what_is_of_one_algorithm_has_one_colour_and_formulas_are_dashed():
    ours, theirs, other = operations_figure({"one": [OURS, THEIRS, OTHER]}, "forward").get_axes()[0].get_lines()
    assert ours.get_color() == theirs.get_color() != other.get_color()
    assert ours.get_linestyle() == other.get_linestyle() == "-"
    assert theirs.get_linestyle() == "--"
