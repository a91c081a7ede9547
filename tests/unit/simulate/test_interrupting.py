"""Ctrl-C at any moment: between steps, in native code, and in a Python function that native code calls."""

import signal
import threading
import time

import pytest

import loopwright as lw
from loopwright.simulate import front
from loopwright.simulate.interrupting import interruptible


@pytest.fixture
def keyboard(monkeypatch):
    """Gives what presses Ctrl-C so many seconds after a run has taken its first step."""
    earlier = signal.signal(signal.SIGINT, signal.default_int_handler)  # test runners may be deaf to it
    go, ended = front.go, threading.Event()

    def press(after):
        def pressed(march):
            while march.t == 0.0 and not ended.is_set():
                time.sleep(0.001)
            if not ended.wait(after):
                signal.raise_signal(signal.SIGINT)

        def going(march, *given):
            ended.clear()
            pressing = threading.Thread(target=pressed, args=(march,))
            pressing.start()
            try:
                return go(march, *given)
            finally:
                ended.set()
                pressing.join()

        monkeypatch.setattr(front, "go", going)

    yield press
    signal.signal(signal.SIGINT, earlier)


def interrupted(**options):
    mechanism, start = lw.zoo.four_bar(), lw.zoo.start("four_bar")
    return lw.simulate(mechanism, start, 1e6, save=None, progress=False, **options)


@pytest.mark.parametrize("method", ["dopri5", "rk4", "scipy:RK45", "scipy:Radau", "cvodes", "idas"])
def test_a_run_keeps_what_there_is(method, keyboard):
    keyboard(0.2)
    done = interrupted(method=method, step=1e-3 if method == "rk4" else None)
    assert "interrupted" in done.status
    assert 0.0 < done.t[-1] < 1e6
    assert len(done.q) == len(done.a) == len(done.t)
    assert signal.getsignal(signal.SIGINT) is signal.default_int_handler


@pytest.mark.parametrize("options", [{"method": "scipy:RK45"}, {"tau": lambda t, q, v: [0.0]}])
def test_no_moment_is_wrong(options, keyboard):
    """Where Python is called from native code most of the time, an exception would be lost now and then."""
    for k in range(30):
        keyboard(0.01 + 0.0007 * k)
        assert "interrupted" in interrupted(**options).status


def test_the_second_one_is_raised_at_once():
    earlier, paused = signal.signal(signal.SIGINT, signal.default_int_handler), []
    try:
        with interruptible(lambda: paused.append(1)) as came:
            assert not came()
            signal.raise_signal(signal.SIGINT)
            assert came()
            with pytest.raises(KeyboardInterrupt):
                signal.raise_signal(signal.SIGINT)
        assert paused == [1]
        assert signal.getsignal(signal.SIGINT) is signal.default_int_handler
    finally:
        signal.signal(signal.SIGINT, earlier)


def test_handlers_of_others_stay():
    seen = []
    earlier = signal.signal(signal.SIGINT, lambda number, frame: seen.append(number))
    try:
        with interruptible(lambda: None) as came:
            signal.raise_signal(signal.SIGINT)
            assert seen == [signal.SIGINT]
            assert not came()
    finally:
        signal.signal(signal.SIGINT, earlier)
