import json
from xml.etree import ElementTree

import pytest

import loopwright as lw
from loopwright import zoo

from .typed import answered, typed


@pytest.mark.parametrize("name", list(zoo.MECHANISMS))
def test_the_report_of_every_ready_mechanism(name):
    done = typed("inspect", name)
    assert done.exit_code == 0
    assert done.stdout.rstrip("\n") == str(lw.report(zoo.MECHANISMS[name]()))


def test_the_same_for_a_program():
    assert answered("inspect", "four_bar") == json.loads(json.dumps(lw.report(zoo.four_bar()).data))


def test_the_graph_is_drawn_into_a_file(tmp_path):
    file = tmp_path / "new" / "graph.svg"
    done = typed("inspect", "four_bar", "--graph", str(file))
    assert done.exit_code == 0
    assert str(file) in done.stdout
    assert ElementTree.parse(file).getroot().tag.endswith("svg")
    assert answered("inspect", "four_bar", "--graph", str(file))["graph"] == str(file)


def test_the_graph_is_svg_and_nothing_else():
    done = typed("inspect", "four_bar", "--graph", "graph.png")
    assert done.exit_code == 2
    assert "must end in .svg" in done.output


def test_a_graph_that_cannot_be_written_is_a_failure_with_its_reason(tmp_path):
    (tmp_path / "file").touch()
    done = typed("inspect", "four_bar", "--graph", str(tmp_path / "file" / "graph.svg"))
    assert done.exit_code == 1
    assert "cannot write" in done.output


def test_keywords_of_the_zoo_and_parameters_of_the_mechanism():
    assert len(answered("inspect", "chain", "-p", "n=4")["bodies"]) == 4
    crank = answered("inspect", "four_bar", "--parameter", "lengths=0.2, 1, 0.6, 1", "-p", "masses=1,2,3")["bodies"][0]
    assert (crank["mass"], crank["com"]) == (1.0, [0.1, 0.0, 0.0])


def test_parameters_of_the_mechanism_itself(monkeypatch):
    def bar() -> lw.Mechanism:
        b = lw.Builder("bar")
        length = b.parameter("length", 1.0)
        b.rod("bar", 2.0, to=(length, 0, 0))
        b.revolute("pin", "ground", "bar")
        return b.build()

    monkeypatch.setattr(zoo, "MECHANISMS", {"bar": bar})
    assert answered("inspect", "bar", "-p", "length=3")["bodies"][0]["com"] == [1.5, 0.0, 0.0]
    assert typed("inspect", "bar", "-p", "length=long").exit_code == 2
    assert typed("inspect", "bar", "-p", "length=true").exit_code == 2
    assert typed("inspect", "bar", "-p", "length=nan").exit_code == 1


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["four_bra"], 2, "did you mean 'four_bar'?"),
        (["four_bra"], 2, "carpet_scraper"),
        (["nothing_like_it"], 2, "The ready ones are pendulum"),
        (["robot.urdf"], 1, "does not read model files yet"),
        (["models/robot"], 1, "does not read model files yet"),
        (["Arm.YAML"], 1, "does not read model files yet"),
        ([], 2, "Missing argument"),
        (["four_bar", "-p", "lengths"], 2, "should be NAME=VALUE"),
        (["four_bar", "-p", "=3"], 2, "should be NAME=VALUE"),
        (["four_bar", "-p", "masses=1", "-p", "masses=2"], 2, "given twice"),
        (["four_bar", "-p", "lenghts=1,2,3,4"], 2, "did you mean 'lengths'?"),
        (["chain", "-p", "twist=word"], 2, "twist must be a number, not word"),
        (["puma560", "-p", "friction=3"], 2, "friction must be true or false, not 3"),
        (["four_bar", "-p", "lengths=3"], 1, "needs 4 numbers"),
        (["four_bar", "-p", "lengths=1,2"], 1, "needs 4 numbers"),
        (["four_bar", "-p", "lengths=9,1,1,1"], 1, "cannot close"),
        (["chain", "-p", "n=0"], 1, "1 or more"),
        (["four_bar", "--nonsense"], 2, "No such option"),
    ],
)
def test_what_is_wrong_is_said(words, status, said):
    done = typed("inspect", *words)
    assert done.exit_code == status
    assert said in " ".join(done.output.replace("│", " ").split())


VALUES = ("0", "-1", "1e400", "nan", "true", "word", "1,2", "1,word", "()", "0.5", "1e-320")


@pytest.mark.parametrize("name", list(zoo.MECHANISMS))
def test_any_value_of_any_keyword_is_taken_or_refused_in_words(name):
    import inspect

    for keyword in inspect.signature(zoo.MECHANISMS[name]).parameters:
        for value in VALUES:
            done = typed("inspect", name, "-p", f"{keyword}={value}")
            assert done.exit_code in (0, 1, 2)
            assert done.output.strip()
