import pytest

import loopwright as lw

from .wrong import MISTAKES, OTHERS, arm, four_bar


@pytest.mark.parametrize("mistake", MISTAKES)
def test_a_mistake_in_a_mechanism_is_named(mistake):
    make, message = MISTAKES[mistake]

    def attempt():
        b = arm()
        make(b)
        b.build()

    with pytest.raises(lw.LoopwrightError) as raised:
        attempt()
    assert str(raised.value) == message


@pytest.mark.parametrize("mistake", OTHERS)
def test_a_mistake_in_what_is_asked_is_named(mistake):
    attempt, message = OTHERS[mistake]
    with pytest.raises(lw.LoopwrightError) as raised:
        attempt()
    assert str(raised.value) == message


def test_without_the_mistake_there_is_no_error():
    assert arm().build().coordinates == ("shoulder", "elbow")
    assert four_bar().build().coordinates == ("crank_pin", "coupler_pin", "rocker_pin")


def test_a_builder_can_be_mended_after_an_error():
    b = arm()
    b.body("wheel")
    b.revolute("axle", "lower", "wheel", rotor_inertia=b.parameter("rotor", 0.0))
    with pytest.raises(lw.LoopwrightError, match="nothing resists motion of joint 'axle'"):
        b.build()
    b.spring("spring", "ground", "wheel", xyz=(1.0, 0.0, 0.0), stiffness=1.0)
    b.effort("motor", "axle", 1.0)
    with pytest.raises(lw.LoopwrightError, match="rotor_inertia"):
        b.build()
    b.body("tyre", 1.0, inertia=(0.1, 0.1, 0.1))
    b.weld("fit", "wheel", "tyre")
    assert b.build().nv == 3
