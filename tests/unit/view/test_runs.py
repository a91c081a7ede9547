"""Figures and moving pictures of runs."""

from __future__ import annotations

import json
import re
import shutil

import numpy as np
import pytest

import loopwright as lw
from loopwright.view.moving import shown, skeletons


@pytest.fixture(scope="module")
def run():
    mech = lw.zoo.four_bar()
    return lw.simulate(mech, lw.zoo.start("four_bar"), 0.4, tau=2.0, progress=False)


@pytest.mark.parametrize("suffix, head", [("png", b"\x89PNG"), ("svg", b"<?xml"), ("pdf", b"%PDF")])
def test_the_figure_is_written(run, tmp_path, suffix, head):
    figure = run.plot(tmp_path / f"run.{suffix}")
    assert (tmp_path / f"run.{suffix}").read_bytes().startswith(head)
    said = {ax.get_ylabel() for ax in figure.axes}
    assert said == {"angle (rad)", "rate (rad/s)", "torque (N·m)", "energy (J)", "error"}


def lines(figure, label):
    (ax,) = (ax for ax in figure.axes if ax.get_ylabel() == label)
    return {line.get_label(): line.get_ydata() for line in ax.lines}


def test_the_figure_shows_what_was_measured(run):
    m, shown = run.measured, lines(run.plot(), "energy (J)")
    np.testing.assert_array_equal(shown["kinetic"], m.kinetic)
    np.testing.assert_array_equal(shown["work of actuators"], m.work["actuators"])
    # what comes in as work goes into both energies
    np.testing.assert_allclose(shown["both"], m.work["actuators"], atol=1e-6 * m.exchanged)
    errors = lines(run.plot(), "error")
    assert set(errors) == {"energy balance, of what moved", "loops open (rad, m)", "opening (per s)"}
    assert errors["loops open (rad, m)"].max() == pytest.approx(max(np.abs(m.gap).max(), 1e-17))


def test_a_tree_at_rest_without_motors_can_be_drawn(tmp_path):
    mech = lw.zoo.n_pendulum(n=2)
    still = lw.simulate(mech, {"pivot_1": -np.pi / 2}, 0.05, progress=False)
    assert "error" in {ax.get_ylabel() for ax in still.plot(tmp_path / "still.png").axes}


def told(page):
    """The data of a page."""
    return json.loads(re.search(r"^const run = (.*);$", page.read_text(), re.MULTILINE).group(1))


def test_the_page_holds_the_outlines_and_where_they_are(run, tmp_path):
    data = told(run.animate(tmp_path / "run.html", fps=10))
    assert data["plane"] == [0, 1]
    assert [body["name"] for body in data["bodies"]] == ["crank", "coupler", "rocker"]
    np.testing.assert_allclose(data["times"], [0.0, 0.1, 0.2, 0.3, 0.4], atol=1e-9)
    dyn = lw.Dynamics(run.mechanism)
    for row, t in enumerate(data["times"]):
        q = run.q[int(np.argmin(np.abs(run.t - t)))]
        X = np.array(data["poses"][row]).reshape(3, 3, 4)
        for k, body in enumerate(data["bodies"]):
            pose = dyn.pose(body["name"], q)
            np.testing.assert_allclose(X[k], np.column_stack([pose.R, pose.p]), atol=1e-6)
            ends = np.array(body["outline"]) @ X[k][:, :3].T + X[k][:, 3]
            assert np.linalg.norm(ends[1] - ends[0]) == pytest.approx(
                {"crank": 0.3, "coupler": 1.0, "rocker": 0.6}[body["name"]], abs=1e-5
            )
            assert np.all(ends > np.array(data["extent"][0]) - 1e-5)
            assert np.all(ends < np.array(data["extent"][1]) + 1e-5)


def test_the_page_needs_nothing_else_and_names_stay_words(tmp_path):
    b = lw.Builder("</script><script>alert(1)</script>")
    b.rod("<b>", mass=1, to=(0, 0, -1))
    b.revolute("pivot", "ground", "<b>", axis=(0, 1, 0))
    page = lw.simulate(b.build(), {"pivot": 0.3}, 0.1, progress=False).animate(tmp_path / "x.html").read_text()
    assert page.count("<script>") == page.count("</script>") == 1
    assert not re.search(r"(src|href)\s*=|https?:|@import|url\(", page)


def test_the_gif_has_a_picture_for_every_moment(run, tmp_path):
    from PIL import Image

    with Image.open(run.animate(tmp_path / "run.gif", fps=10, speed=2.0)) as moving:
        assert moving.n_frames == 3
        assert moving.info["duration"] == 100


def test_a_film_needs_ffmpeg(run, tmp_path, monkeypatch):
    path = tmp_path / "run.mp4"
    if shutil.which("ffmpeg"):
        assert run.animate(path, fps=10).read_bytes()[4:8] == b"ftyp"
    monkeypatch.setattr("matplotlib.animation.writers.is_available", lambda name: False)
    with pytest.raises(lw.LoopwrightError, match="needs the program ffmpeg"):
        run.animate(path)


def test_the_pictures_are_of_the_nearest_saved_states(run):
    assert shown(run, 25, 1.0) == [0, 4, 8, 12, 16, 20, 24, 28, 32, 36, 40]
    assert shown(run, 10, 2.0) == [0, 20, 40]
    (one,) = skeletons(run, [40])
    np.testing.assert_allclose(one.joints["rocker_joint"], [1, 0, 0], atol=1e-12)


@pytest.mark.parametrize(
    "file, options, said",
    [
        ("run.avi", {}, r"must end in \.gif, \.mp4 or \.html"),
        ("run.gif", {"fps": 0}, "fps must be a whole number"),
        ("run.gif", {"speed": -1.0}, "speed must be a positive number"),
        ("run.gif", {"speed": 1e-6}, "more than 3000"),
    ],
)
def test_what_cannot_be_shown_is_said(run, tmp_path, file, options, said):
    with pytest.raises(lw.LoopwrightError, match=said):
        run.animate(tmp_path / file, **options)


def test_a_run_that_saved_nothing_cannot_be_shown(run, tmp_path):
    from dataclasses import replace

    nothing = {name: getattr(run, name)[:0] for name in ("t", "q", "v", "a", "tau")}
    empty = replace(run, **nothing, work={kind: done[:0] for kind, done in run.work.items()}, again=None)
    for show in (empty.plot, lambda: empty.animate(tmp_path / "x.html")):
        with pytest.raises(lw.LoopwrightError, match="saved no state"):
            show()
    again = lw.open_run(empty.save(tmp_path / "empty.nc"))
    assert len(again) == 0
    assert again.status == run.status


def test_the_browser_is_shown_a_page(run, monkeypatch):
    seen = []
    monkeypatch.setattr("webbrowser.open", seen.append)
    page = run.view()
    assert seen == [page.as_uri()]
    assert told(page)["name"] == "four_bar"
