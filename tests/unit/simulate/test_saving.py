"""Runs as files: everything comes back to the last bit, others can read it, and damage is said."""

from __future__ import annotations

import random

import numpy as np
import pytest

import loopwright as lw
from loopwright.simulate import saving


@pytest.fixture(scope="module")
def run():
    mech = lw.zoo.four_bar()
    return lw.simulate(mech, lw.zoo.start("four_bar"), 0.2, tau=9.0, save=0.02, progress=False)


@pytest.fixture(scope="module")
def file(run, tmp_path_factory):
    return run.save(tmp_path_factory.mktemp("runs") / "run.nc")


def test_everything_comes_back_to_the_last_bit(run, file):
    again = lw.open_run(file)
    for name in ("t", "q", "v", "a", "tau"):
        np.testing.assert_array_equal(getattr(again, name), getattr(run, name))
    assert again.mechanism == run.mechanism
    assert (again.status, again.counts, again.settings) == (run.status, run.counts, run.settings)
    for name, value in vars(run.audit).items():
        np.testing.assert_array_equal(getattr(again.audit, name), value)
    assert str(again.audit) == str(run.audit)
    assert set(again.data) == set(run.data)
    for name in run.data:
        np.testing.assert_array_equal(again.data[name], run.data[name])
    assert again.final.q.tolist() == run.final.q.tolist()


def test_others_read_it_with_names(run, file):
    import xarray

    with xarray.open_dataset(file, engine="scipy") as found:
        assert list(found["coordinate"].values) == list(run.mechanism.coordinates)
        assert list(found["row"].values)[:2] == list(run.data["row"].values)[:2]
        for name in found:
            np.testing.assert_array_equal(found[name], run.data[name])
        pin = found["q"].sel(coordinate="crank_pin")
        np.testing.assert_array_equal(pin, run["crank_pin"])
        assert found["energy"].attrs["units"] == "J"


def test_the_mechanism_in_it_can_be_asked(run, file):
    again = lw.open_run(file)
    assert lw.energy(again.mechanism, again.q[0], again.v[0]).total == pytest.approx(run.measured.energy[0])
    assert again.reactions()["reaction"].shape == (len(run), len(run.mechanism.joints), 6)


def test_names_in_any_script_and_joints_without_motor(tmp_path):
    b = lw.Builder("Пендель ✓")
    b.rod("杆", mass=1, to=(0, 0, -1))
    b.revolute("ось", "ground", "杆", axis=(0, 1, 0))
    b.spherical("шар", "杆", "κ")
    b.body("κ", mass=1, inertia=(1, 1, 1), com=(0, 0.1, 0))
    b.effort("тормоз", "ось", lambda t, q, v: -0.1 * v[0])
    run = lw.simulate(b.build(), {"ось": 0.3}, 0.1, progress=False)
    again = lw.open_run(run.save(tmp_path / "бег.nc"))
    assert again.mechanism.coordinates == run.mechanism.coordinates
    assert "effort 'тормоз'" in again.mechanism.notes[0]
    np.testing.assert_array_equal(again.measured.work["loads"], run.measured.work["loads"])
    with pytest.raises(lw.LoopwrightError, match="cannot be found from this file: effort 'тормоз'"):
        again.reactions()


def test_a_failed_write_leaves_what_was_there(run, tmp_path, monkeypatch):
    path = tmp_path / "run.nc"
    path.write_text("before")

    def broken(*given):
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(saving.os, "replace", broken)
    with pytest.raises(lw.LoopwrightError, match="No space left"):
        run.save(path)
    assert path.read_text() == "before"
    assert [p.name for p in tmp_path.iterdir()] == ["run.nc"]


@pytest.mark.parametrize("name", ["run.csv", "run", "run.nc.txt"])
def test_only_netcdf_is_written(run, tmp_path, name):
    with pytest.raises(lw.LoopwrightError, match=r"must end in \.nc"):
        run.save(tmp_path / name)


def test_what_is_no_run_is_refused(tmp_path):
    with pytest.raises(lw.LoopwrightError, match="cannot read"):
        lw.open_run(tmp_path / "none.nc")
    for content in (b"", b"CDF", b"nonsense" * 100, b"\x89HDF\r\n\x1a\n"):
        path = tmp_path / "bad.nc"
        path.write_bytes(content)
        with pytest.raises(lw.LoopwrightError, match=r"bad\.nc"):
            lw.open_run(path)
    import xarray

    other = tmp_path / "other.nc"
    xarray.Dataset({"x": ("time", np.zeros(3))}).to_netcdf(other, engine="scipy")
    with pytest.raises(lw.LoopwrightError, match="not a run that this version of Loopwright wrote"):
        lw.open_run(other)


def test_damage_anywhere_is_said_or_harmless(file, tmp_path):
    whole = file.read_bytes()
    rng = random.Random(3)
    path = tmp_path / "damaged.nc"
    said = []
    for _ in range(150):
        content = bytearray(whole)
        if rng.random() < 0.3:
            content = content[: rng.randrange(len(content))]
        for _ in range(rng.randrange(1, 4)):
            content[rng.randrange(min(len(content), 20_000))] = rng.randrange(256)
        path.write_bytes(content)
        try:
            lw.open_run(path)
        except lw.LoopwrightError as error:
            said.append(str(error))
    assert len(said) > 50
    assert all("damaged.nc" in words for words in said)
