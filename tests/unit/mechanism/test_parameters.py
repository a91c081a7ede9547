import numpy as np
import pytest

import loopwright as lw
from loopwright.dynamics import FORWARD, links_at, loads, poses, twists
from loopwright.mechanism import GROUND
from loopwright.spatial import is_symbolic, symbols
from loopwright.topology import forest

from ..spatial.samples import assert_close
from .placed import body_pose, mass_matrix

VALUES = {"l1": 0.7, "l2": 1.0, "m": 1.5, "tilt": 0.3, "k": 4.0, "g": 9.81, "pitch": 0.2, "lean": 0.4}


def machine(declare=lambda b, name, value: b.parameter(name, value), **values):
    """A tree in which parameters are lengths, masses, angles, axes, springs and gravity."""
    b = lw.Builder("machine")
    p = {name: declare(b, name, value) for name, value in {**VALUES, **values}.items()}
    b.gravity = (0.0, -1.0 * p["g"], 0.0)
    b.rod("upper", 2.0 * p["m"], to=(p["l1"], 0, 0))
    b.rod("lower", p["m"], to=(p["l2"], 0.1, 0))
    b.body("nut", 0.5, (p["l2"] / 10, 0, 0.1), (0.1, 0.1, 0.1))
    b.revolute("shoulder", GROUND, "upper", axis=(np.sin(p["lean"]), 0, np.cos(p["lean"])), rpy=(p["tilt"], 0, 0))
    b.universal("elbow", "upper", "lower", axes=((0, 0, 1), (p["lean"], 1, 0)), xyz=(p["l1"], 0, 0), damping=p["k"])
    b.screw("thread", "nut", "lower", axis=(1, 0, 0), pitch=p["pitch"], stiffness=p["k"], rest=p["tilt"])
    b.spring("spring", GROUND, "lower", (1, 1, 0), (p["l2"], 0, 0), stiffness=p["k"], length=p["l1"])
    b.wrench("push", "nut", force=(p["k"], 0, 0), xyz=(0, p["l2"], 0), axes="body")
    return b.build()


def numbers_instead(b, name, value):
    return value


def accelerations(mechanism, q, v, parameters=None):
    """With all that acts, by articulated bodies."""
    laid_out = forest(mechanism, parameters)
    links = links_at(laid_out, q, v)
    acting = loads(laid_out, 0.0, q, v, poses(links), twists(links))
    return FORWARD[0].function(links, acting.at_joints, laid_out.gravity, acting.on_links, laid_out.nv)


def test_a_mechanism_of_parameters_is_that_of_their_numbers():
    q, v = machine().random_state(1)
    assert_close(accelerations(machine(), q, v), accelerations(machine(numbers_instead), q, v), scale=1e4)


@pytest.mark.parametrize("name", VALUES)
def test_a_changed_parameter_is_a_mechanism_built_anew(name):
    q, v = machine().random_state(1)
    changed, anew = machine().with_parameters(**{name: 1.3}), machine(numbers_instead, **{name: 1.3})
    assert changed.values == {**VALUES, name: 1.3}
    assert changed == machine(**{name: 1.3})
    assert_close(mass_matrix(changed, q), mass_matrix(anew, q), scale=1e3)
    assert_close(accelerations(changed, q, v), accelerations(anew, q, v), scale=1e4)
    for body in ("upper", "lower", "nut"):
        assert_close(body_pose(changed, body, q).matrix(), body_pose(anew, body, q).matrix(), scale=10.0)


def test_a_changed_mechanism_leaves_the_first_as_it_was():
    first = machine()
    second = first.with_parameters(l2=2.0, m=3.0)
    assert first.values == VALUES
    assert (second.values["l2"], second.values["m"], second.values["k"]) == (2.0, 3.0, 4.0)
    assert second.with_parameters(l2=1.0, m=1.5) == first
    assert first.with_parameters() == first


@pytest.mark.parametrize("name", VALUES)
def test_complex_steps_differentiate_in_a_parameter(name):
    """f(x + ih).imag / h is the derivative without cancellation; central differences agree as far as they can."""
    mechanism, step = machine(), 1e-6
    q, v = mechanism.random_state(2)
    values = [mechanism.with_parameters(**{name: VALUES[name] + s * step}) for s in (1.0, -1.0)]
    stepped = {name: VALUES[name] + 1e-30j}
    for f in (lambda m, p=None: mass_matrix(m, q, p), lambda m, p=None: accelerations(m, q, v, p)):
        differences = (f(values[0]) - f(values[1])) / (2.0 * step)
        assert_close(np.imag(f(mechanism, stepped)) / 1e-30, differences, scale=1e7)
        np.testing.assert_array_equal(np.real(f(mechanism, stepped)), f(mechanism, {name: complex(VALUES[name])}).real)


def test_a_complex_step_passes_through_an_angle_of_zero():
    """Rounding is swept out of the frames, but no derivative with it."""
    b = lw.Builder("m")
    tilt = b.parameter("tilt", 0.0)
    b.body("a", 1.0, (0.3, 0.2, 0.1), (0.1, 0.1, 0.1))
    b.prismatic("slide", GROUND, "a", rpy=(tilt, 0, 0))
    b.body("c", 1.0, (0.3, 0.2, 0.1), (0.1, 0.1, 0.1))
    b.prismatic("cross", "a", "c", rpy=(0, np.pi / 2 + tilt, 0))
    mechanism = b.build()
    M = mass_matrix(mechanism, np.zeros(2), {"tilt": 1e-30j})
    np.testing.assert_array_equal(M.real, [[2.0, 0.0], [0.0, 1.0]])
    assert_close(M.imag / 1e-30, [[0.0, -1.0], [-1.0, 0.0]])


def test_a_parameter_may_be_a_symbol():
    import casadi

    mechanism = machine()
    q, _ = mechanism.random_state(1)
    x = casadi.SX.sym("l2")
    M = mass_matrix(mechanism, q, {"l2": symbols(x)[0]})
    assert is_symbolic(M)
    function = casadi.Function("M", [x], [getattr(entry, "sx", entry) for entry in M.ravel()])
    computed = np.array([float(entry) for entry in function(1.7)]).reshape(M.shape)
    assert_close(computed, mass_matrix(mechanism.with_parameters(l2=1.7), q), scale=1e3)


def test_unknown_parameters_are_refused():
    with pytest.raises(lw.LoopwrightError, match=r"mechanism 'machine' has no parameter 'L2'; did you mean 'l2'\?"):
        forest(machine(), {"L2": 1.0})


def test_a_change_is_checked_like_a_mechanism():
    with pytest.raises(lw.LoopwrightError, match="body 'upper': its mass -2 is negative"):
        machine().with_parameters(m=-1.0)
    with pytest.raises(lw.LoopwrightError, match=r"joint 'elbow': damping is -1; it must be zero or more"):
        machine().with_parameters(k=-1.0)
