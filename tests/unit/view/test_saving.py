import pytest

import loopwright as lw
from loopwright import zoo
from loopwright.view import graph_svg, pose_figure, save


def test_folders_are_made(tmp_path):
    file = save(graph_svg(zoo.four_bar()), tmp_path / "a" / "b" / "graph.svg")
    assert file.read_text(encoding="utf-8").startswith("<svg")


def test_a_name_that_tells_no_kind_is_refused(tmp_path):
    figure = pose_figure(zoo.pendulum(), [0.0])
    with pytest.raises(lw.LoopwrightError, match=r"must end in \.png or \.svg or \.pdf"):
        save(figure, tmp_path / "picture.xyz")
    with pytest.raises(lw.LoopwrightError, match=r"must end in \.svg"):
        save("<svg/>", tmp_path / "picture.png")


@pytest.mark.parametrize("picture", [lambda: "<svg/>", lambda: pose_figure(zoo.pendulum(), [0.0])])
def test_a_place_that_cannot_be_written_is_named(picture, tmp_path):
    (tmp_path / "file").touch()
    with pytest.raises(lw.LoopwrightError, match=r"cannot write .*file"):
        save(picture(), tmp_path / "file" / "picture.svg")
