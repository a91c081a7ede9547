"""Mechanisms that cannot be, and what the user is told: the mistake is made on an arm that is right."""

import math

import numpy as np

import loopwright as lw

INF, NAN = math.inf, math.nan


def arm():
    """Two rods hanging from the ground, one length a parameter."""
    b = lw.Builder("arm")
    b.parameter("l2", 0.5)
    b.rod("upper", 2.0, to=(1.0, 0.0, 0.0))
    b.rod("lower", 1.0, to=(b["l2"], 0.0, 0.0))
    b.revolute("shoulder", "ground", "upper")
    b.revolute("elbow", "upper", "lower", xyz=(1.0, 0.0, 0.0))
    return b


def wheel(b, **body):
    """One body more, and the joint that carries it."""
    b.body("wheel", **body)
    b.revolute("axle", "lower", "wheel")


def table(*rows, make=lw.modified_dh, **about):
    return make("table", [{"mass": 1.0, "com": (0.1, 0.0, 0.0), **row} for row in rows], **about)


def four_bar():
    b = lw.Builder("four_bar", gravity=(0.0, -9.81, 0.0))
    for name, length in (("crank", 0.3), ("coupler", 1.0), ("rocker", 0.6)):
        b.rod(name, length, to=(length, 0.0, 0.0))
    b.revolute("crank_pin", "ground", "crank")
    b.revolute("coupler_pin", "crank", "coupler", xyz=(0.3, 0.0, 0.0))
    b.revolute("rocker_pin", "ground", "rocker", xyz=(1.0, 0.0, 0.0))
    b.revolute("closing", "coupler", "rocker", xyz=(1.0, 0.0, 0.0), child_xyz=(0.6, 0.0, 0.0))
    return b


# what is done to the arm, and the whole message
MISTAKES = {
    # names
    "unknown_body": (
        lambda b: b.revolute("wrist", "lowr", "upper"),
        "joint 'wrist': mechanism 'arm' has no body 'lowr'; did you mean 'lower'?",
    ),
    "unknown_bodies_without_likeness": (
        lambda b: b.weld("wrist", "Q", "R"),
        (
            "mechanism 'arm' has 2 problems:\n"
            "  - joint 'wrist': mechanism 'arm' has no body 'Q'; it has ground, upper, lower\n"
            "  - joint 'wrist': mechanism 'arm' has no body 'R'; it has ground, upper, lower"
        ),
    ),
    "unknown_body_of_a_spring": (
        lambda b: b.spring("s", "ground", "uper", stiffness=1.0),
        "spring 's': mechanism 'arm' has no body 'uper'; did you mean 'upper'?",
    ),
    "unknown_body_of_a_wrench": (
        lambda b: b.wrench("push", "hand"),
        "wrench 'push': mechanism 'arm' has no body 'hand'; it has ground, upper, lower",
    ),
    "unknown_joint_of_an_effort": (
        lambda b: b.effort("motor", "elbo", 1.0),
        "effort 'motor': mechanism 'arm' has no joint 'elbo'; did you mean 'elbow'?",
    ),
    "two_bodies_of_one_name": (lambda b: b.body("upper", 1.0), "2 bodies are named 'upper'; give each its own name"),
    "two_joints_of_one_name": (
        lambda b: b.revolute("elbow", "ground", "lower"),
        "2 joints are named 'elbow'; give each its own name",
    ),
    "two_loads_of_one_name": (
        lambda b: [b.wrench("push", "upper"), b.spring("push", "ground", "lower", stiffness=1.0)],
        "2 loads are named 'push'; give each its own name",
    ),
    "two_parameters_of_one_name": (
        lambda b: b.parameter("l2", 1.0),
        "parameter 'l2' is declared twice; give the second another name",
    ),
    "joint_named_like_a_coordinate": (
        lambda b: [
            b.body("a", 1.0, inertia=(1, 1, 1)),
            b.spherical("ball", "lower", "a"),
            b.revolute("ball.qx", "ground", "upper"),
        ],
        "joint 'ball.qx' has the name of a coordinate of the spherical joint 'ball'; rename one",
    ),
    "body_called_ground": (
        lambda b: b.body("ground", 1.0),
        "'ground' is the fixed body and is always there; give the body another name",
    ),
    "body_name_is_a_number": (lambda b: b.body(3, 1.0), "body: a name must be a non-empty string, got 3"),
    "body_name_is_empty": (lambda b: b.body("", 1.0), "body: a name must be a non-empty string, got ''"),
    "joint_name_is_none": (
        lambda b: b.revolute(None, "ground", "upper"),
        "joint: a name must be a non-empty string, got None",
    ),
    "parent_is_a_number": (
        lambda b: b.revolute("wrist", 0, "upper"),
        "joint 'wrist': parent body: a name must be a non-empty string, got 0",
    ),
    "child_is_blank": (
        lambda b: b.revolute("wrist", "upper", "  "),
        "joint 'wrist': child body: a name must be a non-empty string, got '  '",
    ),
    "mechanism_name_is_a_number": (lambda b: lw.Builder(7), "mechanism: a name must be a non-empty string, got 7"),
    "parameter_name_is_no_word": (
        lambda b: b.parameter("length 2", 1.0),
        "parameter 'length 2': the name must be a plain word such as 'l2'",
    ),
    "parameter_name_is_a_number": (
        lambda b: b.parameter(2, 1.0),
        "parameter '2': the name must be a plain word such as 'l2'",
    ),
    "parameter_not_declared_yet": (
        lambda b: b["l3"],
        "no parameter 'l3' is declared yet; declare it with b.parameter('l3', value) (so far: l2)",
    ),
    "parameter_of_another_builder": (
        lambda b: wheel(b, mass=lw.Builder("other").parameter("rho", 2.0)),
        "body 'wheel': mass uses the parameter 'rho', which is not declared; add b.parameter('rho', …)",
    ),
    "parameters_of_another_builder_in_a_joint": (
        lambda b: b.revolute("wrist", "ground", "lower", child_xyz=(lw.Builder("other").parameter("x", 2.0), 0, 0)),
        "joint 'wrist': child_xyz uses the parameter 'x', which is not declared; add b.parameter('x', …)",
    ),
    # who is joined to whom
    "no_bodies": (
        lambda b: lw.Builder("nothing").build(),
        "mechanism 'nothing' has no bodies; add some with b.body(name, mass=…)",
    ),
    "body_on_no_joint": (
        lambda b: b.body("washer", 1.0),
        "body 'washer' is on no joint; join it to the ground, with b.free(…) if it should float",
    ),
    "bodies_joined_only_to_each_other": (
        lambda b: [b.body("moon", 1.0), b.body("earth", 1.0), b.revolute("orbit", "earth", "moon", xyz=(1, 0, 0))],
        (
            "bodies 'moon', 'earth' are joined to each other but not to the ground; join one of them to "
            "it, with b.free(…) if they should float"
        ),
    ),
    "two_islands": (
        lambda b: [
            b.body("washer", 1.0),
            *(b.body(f"i{k}", 1.0) for k in range(15)),
            *(b.revolute(f"i{k}", f"i{k}", f"i{k + 1}") for k in range(14)),
        ],
        (
            "mechanism 'arm' has 2 problems:\n"
            "  - body 'washer' is on no joint; join it to the ground, with b.free(…) if it should float\n"
            "  - bodies 'i0', 'i1', 'i2', 'i3', 'i4', 'i5', 'i6', 'i7', 'i8', 'i9', 'i10', 'i11', … are "
            "joined to each other but not to the ground; join one of them to it, with b.free(…) if they "
            "should float"
        ),
    ),
    "body_joined_to_itself": (
        lambda b: b.revolute("wrist", "lower", "lower"),
        "joint 'wrist' joins 'lower' to itself; name two different bodies",
    ),
    "spring_to_itself": (
        lambda b: b.spring("s", "upper", "upper", stiffness=1.0),
        "spring 's' pulls 'upper' against itself; name two different bodies",
    ),
    "wrench_on_the_ground": (
        lambda b: b.wrench("push", "ground", force=(1, 0, 0)),
        "wrench 'push' acts on the ground, which cannot move; name a body",
    ),
    "effort_at_a_weld": (
        lambda b: [b.body("tool", 1.0), b.weld("grip", "lower", "tool"), b.effort("motor", "grip", 1.0)],
        "effort 'motor': joint 'grip' is a weld, which has no coordinate to act at; name a joint that moves",
    ),
    # numbers that are none
    "mass_is_nan": (lambda b: wheel(b, mass=NAN), "body 'wheel': mass is nan; it must be a finite number"),
    "mass_is_infinite": (lambda b: wheel(b, mass=INF), "body 'wheel': mass is inf; it must be a finite number"),
    "mass_is_a_string": (lambda b: wheel(b, mass="3"), "body 'wheel': mass must be a number, got '3'"),
    "mass_is_none": (lambda b: wheel(b, mass=None), "body 'wheel': mass must be a number, got None"),
    "mass_is_a_bool": (lambda b: wheel(b, mass=True), "body 'wheel': mass must be a number, got True"),
    "mass_is_a_numpy_bool": (lambda b: wheel(b, mass=np.True_), "body 'wheel': mass must be a number, got np.True_"),
    "mass_is_complex": (lambda b: wheel(b, mass=1 + 0j), "body 'wheel': mass must be a number, got (1+0j)"),
    "mass_is_an_array": (lambda b: wheel(b, mass=np.ones(1)), "body 'wheel': mass must be a number, got array([1.])"),
    "mass_is_huge": (
        lambda b: wheel(b, mass=1e300),
        "body 'wheel': mass is 1e+300, too large to compute with (more than 1e+50)",
    ),
    "mass_is_a_huge_integer": (
        lambda b: wheel(b, mass=10**400),
        "body 'wheel': mass is too large to compute with (more than 1e+50)",
    ),
    "com_is_nan": (
        lambda b: wheel(b, mass=1.0, com=(0.0, NAN, 0.0)),
        "body 'wheel': com[1] is nan; it must be a finite number",
    ),
    "com_is_too_short": (
        lambda b: wheel(b, mass=1.0, com=(0.0, 0.1)),
        "body 'wheel': com needs 3 numbers, got 2: (0.0, 0.1)",
    ),
    "com_is_a_number": (lambda b: wheel(b, mass=1.0, com=0.1), "body 'wheel': com needs 3 numbers, got 0.1"),
    "com_is_an_array_without_axes": (
        lambda b: wheel(b, mass=1.0, com=np.array(0.1)),
        "body 'wheel': com needs 3 numbers, got array(0.1)",
    ),
    "com_is_a_string": (lambda b: wheel(b, mass=1.0, com="0 0 1"), "body 'wheel': com needs 3 numbers, got '0 0 1'"),
    "com_is_a_set": (
        lambda b: wheel(b, mass=1.0, com={1.0, 2.0, 3.0}),
        "body 'wheel': com needs 3 numbers, got {1.0, 2.0, 3.0}",
    ),
    "com_is_nested": (
        lambda b: wheel(b, mass=1.0, com=((1, 2, 3), 0, 0)),
        "body 'wheel': com[0] must be a number, got (1, 2, 3)",
    ),
    "inertia_is_infinite": (
        lambda b: wheel(b, mass=1.0, inertia=(1.0, 1.0, INF)),
        "body 'wheel': inertia[2] is inf; it must be a finite number",
    ),
    "inertia_has_four_numbers": (
        lambda b: wheel(b, mass=1.0, inertia=(1, 1, 1, 0)),
        "body 'wheel': inertia needs 3 or 6 numbers (xx, yy, zz[, xy, xz, yz]), got 4",
    ),
    "inertia_is_one_number": (
        lambda b: wheel(b, mass=1.0, inertia=1.0),
        "body 'wheel': inertia needs 3 or 6 numbers or a 3x3 matrix, got 1.0",
    ),
    "inertia_matrix_has_short_rows": (
        lambda b: wheel(b, mass=1.0, inertia=((1, 0), (0, 1), (0, 0))),
        "body 'wheel': inertia[0] needs 3 numbers, got 2: (1, 0)",
    ),
    "inertia_matrix_is_not_symmetric": (
        lambda b: wheel(b, mass=1.0, inertia=((1, 0.1, 0), (0.2, 1, 0), (0, 0, 1))),
        "body 'wheel': the inertia matrix is not symmetric: 0.1 against 0.2",
    ),
    "shapes_is_a_string": (
        lambda b: wheel(b, mass=1.0, shapes="box"),
        "body 'wheel': shapes needs a list of Shape, got 'box'",
    ),
    "shapes_holds_a_string": (
        lambda b: wheel(b, mass=1.0, shapes=["box"]),
        "body 'wheel': shapes needs a list of Shape, got 'box'",
    ),
    "rod_to_nan": (lambda b: b.rod("rod", 1.0, to=(NAN, 0, 0)), "rod 'rod': to[0] is nan; it must be a finite number"),
    "rod_without_an_end": (lambda b: b.rod("rod", 1.0, to=1.0), "rod 'rod': to needs 3 numbers, got 1.0"),
    "xyz_is_infinite": (
        lambda b: b.revolute("wrist", "ground", "lower", xyz=(0, 0, -INF)),
        "joint 'wrist': xyz[2] is -inf; it must be a finite number",
    ),
    "rpy_is_nan": (
        lambda b: b.revolute("wrist", "ground", "lower", rpy=(0, 0, NAN)),
        "joint 'wrist': rpy[2] is nan; it must be a finite number",
    ),
    "child_xyz_has_four_numbers": (
        lambda b: b.weld("wrist", "ground", "lower", child_xyz=(0, 0, 0, 1)),
        "joint 'wrist': child_xyz needs 3 numbers, got 4: (0, 0, 0, 1)",
    ),
    "child_rpy_is_none": (
        lambda b: b.weld("wrist", "ground", "lower", child_rpy=None),
        "joint 'wrist': child_rpy needs 3 numbers, got None",
    ),
    "axis_is_nan": (
        lambda b: b.revolute("wrist", "ground", "lower", axis=(NAN, 0, 1)),
        "joint 'wrist': axis[0] is nan; it must be a finite number",
    ),
    "axis_is_a_letter": (
        lambda b: b.revolute("wrist", "ground", "lower", axis="z"),
        "joint 'wrist': axis needs 3 numbers, got 'z'",
    ),
    "pitch_is_nan": (
        lambda b: b.screw("wrist", "ground", "lower", pitch=NAN),
        "joint 'wrist': pitch is nan; it must be a finite number",
    ),
    "pitch_is_none": (
        lambda b: b.screw("wrist", "ground", "lower", pitch=None),
        "joint 'wrist': pitch must be a number, got None",
    ),
    "gravity_is_nan": (
        lambda b: lw.Builder("m", gravity=(0, 0, NAN)),
        "mechanism 'm': gravity[2] is nan; it must be a finite number",
    ),
    "gravity_is_a_number": (
        lambda b: lw.Builder("m", gravity=-9.81),
        "mechanism 'm': gravity needs 3 numbers, got -9.81",
    ),
    "gravity_set_later_is_too_short": (
        lambda b: setattr(b, "gravity", (0.0, -9.81)),
        "mechanism 'arm': gravity needs 3 numbers, got 2: (0.0, -9.81)",
    ),
    "stiffness_is_nan": (
        lambda b: b.prismatic("wrist", "ground", "lower", stiffness=NAN),
        "joint 'wrist': stiffness is nan; it must be a finite number",
    ),
    "damping_has_two_numbers": (
        lambda b: b.prismatic("wrist", "ground", "lower", damping=(1, 2)),
        "joint 'wrist': damping needs 1 number, got 2",
    ),
    "friction_has_three_numbers": (
        lambda b: b.cylindrical("wrist", "ground", "lower", friction=(1, 2, 3)),
        "joint 'wrist': friction needs 1 or 2 numbers, got 3 numbers",
    ),
    "friction_of_a_coordinate_has_three_numbers": (
        lambda b: b.cylindrical("wrist", "ground", "lower", friction=[(1, 2, 3), 4]),
        "joint 'wrist': friction of a coordinate is 1 number or (forward, backward), got (1, 2, 3)",
    ),
    "friction_in_lists_of_lists": (
        lambda b: b.revolute("wrist", "ground", "lower", friction=[[[1.0]]]),
        "joint 'wrist': friction[0] must be a number, got [1.0]",
    ),
    "friction_of_a_coordinate_is_empty": (
        lambda b: b.cylindrical("wrist", "ground", "lower", friction=[(), 4]),
        "joint 'wrist': friction of a coordinate is 1 number or (forward, backward), got ()",
    ),
    "friction_is_a_string": (
        lambda b: b.cylindrical("wrist", "ground", "lower", friction="dry"),
        "joint 'wrist': friction must be a number, got 'dry'",
    ),
    "rest_has_two_numbers": (
        lambda b: b.planar("wrist", "ground", "lower", rest=(1, 2)),
        "joint 'wrist': rest needs 1 or 3 numbers, got 2",
    ),
    "actuated_is_a_number": (
        lambda b: b.revolute("wrist", "ground", "lower", actuated=1),
        "joint 'wrist': actuated must be True or False, got 1",
    ),
    "actuated_has_three_flags": (
        lambda b: b.cylindrical("wrist", "ground", "lower", actuated=[True] * 3),
        "joint 'wrist': actuated must be True or False, or 2 of them, got [True, True, True]",
    ),
    "spring_stiffness_is_infinite": (
        lambda b: b.spring("s", "ground", "lower", stiffness=INF),
        "spring 's': stiffness is inf; it must be a finite number",
    ),
    "force_is_nan": (
        lambda b: b.wrench("push", "lower", force=(NAN, 0, 0)),
        "wrench 'push': force[0] is nan; it must be a finite number",
    ),
    "effort_is_nan": (
        lambda b: b.effort("motor", "elbow", NAN),
        "effort 'motor': value is nan; it must be a finite number",
    ),
    "parameter_is_nan": (lambda b: b.parameter("l3", NAN), "parameter 'l3': value is nan; it must be a finite number"),
    "parameter_is_a_string": (lambda b: b.parameter("l3", "1"), "parameter 'l3': value must be a number, got '1'"),
    "parameter_is_an_expression": (
        lambda b: b.parameter("l3", 2 * b["l2"]),
        "parameter 'l3': value must be a plain number, not the expression (2.0 * l2) of parameters",
    ),
    "expression_divides_by_zero": (
        lambda b: wheel(b, mass=1.0 / (b["l2"] - 0.5)),
        "body 'wheel': mass = 1.0 / (l2 - 0.5), at l2 = 0.5, is nan; it must be a finite number",
    ),
    "expression_overflows": (
        lambda b: b.revolute("w", "ground", "lower", xyz=(0, (b["l2"] * 1e9) ** 100, 0)),
        "joint 'w': xyz = (l2 * 1000000000.0) ** 100.0, at l2 = 0.5, is nan; it must be a finite number",
    ),
    "expression_is_huge": (
        lambda b: b.spring("s", "ground", "lower", child_xyz=(b["l2"] * 1e90, 0, 0)),
        "spring 's': child_xyz = l2 * 1e+90, at l2 = 0.5, is 5e+89, too large to compute with (more than 1e+50)",
    ),
    "root_of_a_negative_expression": (
        lambda b: b.screw("w", "ground", "lower", pitch=(-b["l2"]) ** 0.5),
        "joint 'w': pitch = (-1.0 * l2) ** 0.5, at l2 = 0.5, is not a real number",
    ),
    "sqrt_of_a_negative_expression": (
        lambda b: b.effort("motor", "elbow", np.sqrt(-b["l2"])),
        "effort 'motor': value = sqrt(-1.0 * l2), at l2 = 0.5, is nan; it must be a finite number",
    ),
    "expression_with_a_string": (
        lambda b: b["l2"] * "2",
        "a parameter can stand beside a number in '*', not beside '2'",
    ),
    "expression_with_none": (lambda b: None + b["l2"], "a parameter can stand beside a number in '+', not beside None"),
    "expression_in_the_math_module": (
        lambda b: math.sin(b["l2"]),
        (
            "'l2' has no value of its own: it stands for a parameter. Use it where the Builder takes a "
            "number, with + - * / ** and numpy's sin, cos and sqrt (not math's)"
        ),
    ),
    # bodies that cannot be
    "mass_is_negative": (
        lambda b: wheel(b, mass=-1.0),
        "body 'wheel': its mass -1 is negative; it must be zero or more",
    ),
    "mass_is_negative_for_these_parameters": (
        lambda b: wheel(b, mass=b["l2"] - 1.0),
        "body 'wheel': its mass -0.5 is negative; it must be zero or more",
    ),
    "moment_is_negative": (
        lambda b: wheel(b, mass=1.0, inertia=(-1.0, 1.0, 1.0)),
        (
            "body 'wheel': its inertia has the negative principal moment -1. Give the inertia about the "
            "mass centre (not the joint), in body axes, as xx, yy, zz, xy, xz, yz with the products as "
            "they stand in the matrix"
        ),
    ),
    "moments_break_the_triangle": (
        lambda b: wheel(b, mass=1.0, inertia=(1.0, 1.0, 3.0)),
        (
            "body 'wheel': its principal moments 1, 1, 3 break the triangle inequality (no moment can "
            "exceed the sum of the other two). Give the inertia about the mass centre (not the joint), "
            "in body axes, as xx, yy, zz, xy, xz, yz with the products as they stand in the matrix"
        ),
    ),
    "products_too_large": (
        lambda b: wheel(b, mass=1.0, inertia=(1, 1, 1, 2, 0, 0)),
        (
            "body 'wheel': its inertia has the negative principal moment -1. Give the inertia about the "
            "mass centre (not the joint), in body axes, as xx, yy, zz, xy, xz, yz with the products as "
            "they stand in the matrix"
        ),
    ),
    "inertia_without_mass": (
        lambda b: wheel(b, inertia=(1.0, 1.0, 1.0)),
        "body 'wheel': it has inertia but no mass; give it a mass too, or a rotor_inertia to its joint instead",
    ),
    # joints that cannot be
    "axis_is_zero": (
        lambda b: b.revolute("wrist", "ground", "lower", axis=(0, 0, 0)),
        "joint 'wrist': its axis (0, 0, 0) is zero or nearly so; give a direction such as (0, 0, 1)",
    ),
    "axis_is_next_to_nothing": (
        lambda b: b.revolute("wrist", "ground", "lower", axis=(1e-200, 0, 0)),
        "joint 'wrist': its axis (1e-200, 0, 0) is zero or nearly so; give a direction such as (0, 0, 1)",
    ),
    "axis_is_zero_for_these_parameters": (
        lambda b: b.prismatic("wrist", "ground", "lower", axis=(b["l2"] - 0.5, 0, 0)),
        "joint 'wrist': its axis (0, 0, 0) is zero or nearly so; give a direction such as (0, 0, 1)",
    ),
    "normal_is_zero": (
        lambda b: b.planar("wrist", "ground", "lower", normal=(0, 0, 0)),
        "joint 'wrist': its normal (0, 0, 0) is zero or nearly so; give a direction such as (0, 0, 1)",
    ),
    "one_axis_of_two_is_zero": (
        lambda b: b.universal("wrist", "ground", "lower", axes=((0, 0, 0), (0, 1, 0))),
        "joint 'wrist': one of its axes is zero or nearly so; give two directions such as (1, 0, 0), (0, 1, 0)",
    ),
    "axes_are_parallel": (
        lambda b: b.universal("wrist", "ground", "lower", axes=((1, 2, 0), (-2, -4, 0))),
        "joint 'wrist': its two axes are parallel; a universal joint needs two that differ, or use a revolute",
    ),
    "one_axis_where_two_are_needed": (
        lambda b: b.universal("wrist", "ground", "lower", axes=((0, 0, 1),)),
        "joint 'wrist': axes needs two axes, got 1",
    ),
    "axis_where_two_are_needed": (
        lambda b: b.universal("wrist", "ground", "lower", axes=(0, 0, 1)),
        "joint 'wrist': axes needs two axes, got 3",
    ),
    "damping_is_negative": (
        lambda b: b.revolute("wrist", "ground", "lower", damping=-0.1),
        "joint 'wrist': damping is -0.1; it must be zero or more",
    ),
    "friction_is_negative": (
        lambda b: b.revolute("wrist", "ground", "lower", friction=(0.1, -0.1)),
        "joint 'wrist': friction is -0.1; it must be zero or more",
    ),
    "stiffness_is_negative": (
        lambda b: b.revolute("wrist", "ground", "lower", stiffness=-5),
        "joint 'wrist': stiffness is -5; it must be zero or more",
    ),
    "rotor_is_negative": (
        lambda b: b.revolute("wrist", "ground", "lower", rotor_inertia=-1e-3),
        "joint 'wrist': rotor_inertia is -0.001; it must be zero or more",
    ),
    "spring_length_is_negative": (
        lambda b: b.spring("s", "ground", "lower", stiffness=1.0, length=-1.0),
        "spring 's': length is -1; it must be zero or more",
    ),
    "option_misspelt": (
        lambda b: b.revolute("wrist", "ground", "lower", dampng=0.1),
        "joint 'wrist': a revolute joint takes no option 'dampng'; did you mean 'damping'?",
    ),
    "option_of_another_kind": (
        lambda b: b.spherical("wrist", "ground", "lower", axis=(0, 0, 1)),
        (
            "joint 'wrist': a spherical joint takes no option 'axis'; it takes xyz, rpy, child_xyz, "
            "child_rpy, actuated, limits, damping, friction, stiffness, rest, rotor_inertia"
        ),
    ),
    "damped_weld": (
        lambda b: b.weld("wrist", "ground", "lower", damping=1.0),
        "joint 'wrist': a weld joint takes no option 'damping'; it takes xyz, rpy, child_xyz, child_rpy",
    ),
    "limits_swapped": (
        lambda b: b.revolute("wrist", "ground", "lower", limits=(1.0, -1.0)),
        "joint 'wrist': the lower limit 1 is above the upper limit -1; swap them",
    ),
    "limits_are_one_number": (
        lambda b: b.revolute("wrist", "ground", "lower", limits=1.0),
        "joint 'wrist': limits needs (lower, upper), got 1.0",
    ),
    "limits_have_three_numbers": (
        lambda b: b.revolute("wrist", "ground", "lower", limits=(-1.0, 0.0, 1.0)),
        "joint 'wrist': limits needs (lower, upper), got (-1.0, 0.0, 1.0)",
    ),
    "limits_of_a_cylindrical_are_one_pair": (
        lambda b: b.cylindrical("w", "ground", "lower", limits=(-1.0, 1.0)),
        "joint 'w': limits needs one (lower, upper) for each of angle, slide, got (-1.0, 1.0)",
    ),
    "limits_are_strings": (
        lambda b: b.revolute("wrist", "ground", "lower", limits=("-1", "1")),
        "joint 'wrist': a limit must be a number, got '-1'",
    ),
    "a_limit_is_nan": (
        lambda b: b.revolute("wrist", "ground", "lower", limits=(NAN, 1.0)),
        "joint 'wrist': a limit is nan; it must be a number, -inf or inf",
    ),
    "limits_beyond_everything": (
        lambda b: b.revolute("wrist", "ground", "lower", limits=(INF, INF)),
        "joint 'wrist': the limits (inf, inf) leave no position; use -inf below, inf above",
    ),
    "limits_are_parameters": (
        lambda b: b.revolute("wrist", "ground", "lower", limits=(0, b["l2"])),
        "joint 'wrist': limits must be plain numbers, not the expression l2 of parameters",
    ),
    "limits_of_a_ball": (
        lambda b: b.spherical("wrist", "ground", "lower", limits=(-1.0, 1.0)),
        "joint 'wrist': a spherical joint takes no limits; make it of revolutes, one per angle, to limit those",
    ),
    "limits_of_a_free_joint": (
        lambda b: b.free("wrist", "ground", "lower", limits=(-1.0, 1.0)),
        "joint 'wrist': a free joint takes no limits; make it of revolutes, one per angle, to limit those",
    ),
    "rest_is_no_unit_quaternion": (
        lambda b: b.spherical("wrist", "ground", "lower", rest=(1, 1, 0, 0)),
        (
            "joint 'wrist': the quaternion (x, y, z, w) in rest must have length 1, got (1, 1, 0, 0) of "
            "length 1.41421; no turn is (0, 0, 0, 1)"
        ),
    ),
    "rest_of_a_ball_is_one_number": (
        lambda b: b.spherical("wrist", "ground", "lower", rest=0.5),
        "joint 'wrist': rest of a spherical joint needs 4 numbers (qx, qy, qz, qw), got 0.5",
    ),
    "rest_of_a_free_joint_is_no_unit_quaternion": (
        lambda b: b.free("wrist", "ground", "lower", rest=[0] * 7),
        (
            "joint 'wrist': the quaternion (x, y, z, w) in rest must have length 1, got (0, 0, 0, 0) of "
            "length 0; no turn is (0, 0, 0, 1)"
        ),
    ),
    "stiffness_of_a_free_joint": (
        lambda b: b.free("wrist", "ground", "lower", stiffness=1.0),
        "joint 'wrist': a free joint takes no stiffness; use b.spring between points instead",
    ),
    "stiffness_of_a_ball_by_direction": (
        lambda b: b.spherical("wrist", "ground", "lower", stiffness=(1.0, 2.0, 3.0)),
        "joint 'wrist': a spherical joint takes one stiffness for all directions, got (1, 2, 3)",
    ),
    # loads that cannot be
    "two_numbers_for_a_revolute": (
        lambda b: b.effort("motor", "elbow", (1.0, 2.0)),
        "effort 'motor': joint 'elbow' needs 1 number, got 2",
    ),
    "two_numbers_for_a_ball_named_later": (
        lambda b: [b.effort("motor", "ball", (1.0, 2.0)), b.spherical("ball", "ground", "lower")],
        "effort 'motor': joint 'ball' needs 1 or 3 numbers, got 2",
    ),
    "axes_of_a_wrench": (
        lambda b: b.wrench("push", "lower", force=(1, 0, 0), axes="world"),
        "wrench 'push': axes must be 'ground' or 'body', not 'world'",
    ),
    "force_is_a_number": (
        lambda b: b.wrench("push", "lower", force=10.0),
        "wrench 'push': force needs 3 numbers, got 10.0",
    ),
    "force_is_a_function_of_two": (
        lambda b: b.wrench("push", "lower", force=lambda t, q: (t, 0, 0)),
        "wrench 'push': force must be a function of t or of (t, q, v), not (t, q)",
    ),
    "effort_is_a_function_of_nothing": (
        lambda b: b.effort("motor", "elbow", lambda: 1.0),
        "effort 'motor': value must be a function of t or of (t, q, v), not ()",
    ),
    # motions that nothing resists
    "massless_leaf": (
        lambda b: wheel(b),
        (
            "nothing resists motion of joint 'axle': 'wheel' has no inertia there, so no acceleration "
            "can be found. Give the body mass or inertia, the joint a rotor_inertia, or weld it"
        ),
    ),
    "point_mass_on_its_axis": (
        lambda b: wheel(b, mass=1.0),
        (
            "nothing resists motion of joint 'axle': 'wheel' has no inertia there, so no acceleration "
            "can be found. Give the body mass or inertia, the joint a rotor_inertia, or weld it"
        ),
    ),
    "massless_chain": (
        lambda b: [wheel(b), b.body("tyre"), b.prismatic("fit", "wheel", "tyre")],
        (
            "mechanism 'arm' has 2 problems:\n"
            "  - nothing resists motion of joint 'fit': 'tyre' has no inertia there, so no acceleration "
            "can be found. Give the body mass or inertia, the joint a rotor_inertia, or weld it\n"
            "  - nothing resists motion of joint 'axle': 'wheel' has no inertia there, nor has anything "
            "that must follow it, so no acceleration can be found. Give the body mass or inertia, the "
            "joint a rotor_inertia, or weld it"
        ),
    ),
    "rod_that_turns_about_itself": (
        lambda b: [b.rod("pin", 1.0, to=(0, 0, 1.0)), b.revolute("spin", "lower", "pin")],
        (
            "nothing resists motion of joint 'spin': 'pin' has no inertia there, so no acceleration can "
            "be found. Give the body mass or inertia, the joint a rotor_inertia, or weld it"
        ),
    ),
    "rod_on_a_ball": (
        lambda b: [b.rod("pin", 1.0, to=(0, 0, 1.0)), b.spherical("ball", "lower", "pin")],
        (
            "nothing resists motion of joint 'ball' (coordinate wz): 'pin' has no inertia there, so no "
            "acceleration can be found. Give the body mass or inertia, the joint a rotor_inertia, or "
            "weld it"
        ),
    ),
    "two_axes_in_line_with_nothing_between": (
        lambda b: [wheel(b), b.rod("spoke", 1.0, to=(1, 0, 0)), b.revolute("fit", "wheel", "spoke")],
        (
            "nothing resists motion of joint 'axle': 'wheel' has no inertia there, nor has anything that "
            "must follow it, so no acceleration can be found. Give the body mass or inertia, the joint a "
            "rotor_inertia, or weld it"
        ),
    ),
    "several_mistakes_at_once": (
        lambda b: [
            b.revolute("wrist", "lower", "lower"),
            b.wrench("push", "ground"),
            b.effort("motor", "hip", 1.0),
        ],
        (
            "mechanism 'arm' has 3 problems:\n"
            "  - joint 'wrist' joins 'lower' to itself; name two different bodies\n"
            "  - wrench 'push' acts on the ground, which cannot move; name a body\n"
            "  - effort 'motor': mechanism 'arm' has no joint 'hip'; it has shoulder, elbow, wrist"
        ),
    ),
    "many_mistakes_at_once": (
        lambda b: [b.weld(f"w{k}", "lower", "lower") for k in range(20)],
        (
            "mechanism 'arm' has 20 problems:\n"
            "  - joint 'w0' joins 'lower' to itself; name two different bodies\n"
            "  - joint 'w1' joins 'lower' to itself; name two different bodies\n"
            "  - joint 'w2' joins 'lower' to itself; name two different bodies\n"
            "  - joint 'w3' joins 'lower' to itself; name two different bodies\n"
            "  - joint 'w4' joins 'lower' to itself; name two different bodies\n"
            "  - joint 'w5' joins 'lower' to itself; name two different bodies\n"
            "  - joint 'w6' joins 'lower' to itself; name two different bodies\n"
            "  - joint 'w7' joins 'lower' to itself; name two different bodies\n"
            "  - joint 'w8' joins 'lower' to itself; name two different bodies\n"
            "  - joint 'w9' joins 'lower' to itself; name two different bodies\n"
            "  - joint 'w10' joins 'lower' to itself; name two different bodies\n"
            "  - joint 'w11' joins 'lower' to itself; name two different bodies\n"
            "  … and 8 more"
        ),
    ),
}

# mistakes that need no arm
OTHERS = {
    "changed_parameter_is_unknown": (
        lambda: arm().build().with_parameters(l3=1.0),
        "mechanism 'arm' has no parameter 'l3'; it has l2",
    ),
    "changed_parameter_is_a_string": (
        lambda: arm().build().with_parameters(l2="1"),
        "parameter 'l2': value must be a number, got '1'",
    ),
    "changed_parameter_is_nan": (
        lambda: arm().build().with_parameters(l2=NAN),
        "parameter 'l2': value is nan; it must be a finite number",
    ),
    "changed_parameter_makes_the_mass_negative": (
        lambda: _by_density().with_parameters(rho=-2.0),
        "body 'bar': its mass -6 is negative; it must be zero or more",
    ),
    "cut_joint_is_unknown": (
        lambda: four_bar().build(cuts=["closin"]),
        "mechanism 'four_bar': cannot cut 'closin': there is no joint of that name; did you mean 'closing'?",
    ),
    "cuts_are_a_string": (
        lambda: four_bar().build(cuts="closing"),
        "cuts must be a list of joint names, got 'closing'",
    ),
    "cuts_are_a_number": (lambda: four_bar().build(cuts=1), "cuts must be a list of joint names, got 1"),
    "cuts_hold_a_number": (
        lambda: four_bar().build(cuts=["closing", 1]),
        "cuts must be a list of joint names, got ['closing', 1]",
    ),
    "cuts_leave_a_loop": (
        lambda: four_bar().build(cuts=[]),
        "mechanism 'four_bar': with no cut there is a loop through 'rocker': cut one joint more in it",
    ),
    "cuts_disconnect": (
        lambda: four_bar().build(cuts=["closing", "rocker_pin"]),
        "mechanism 'four_bar': the cuts closing, rocker_pin leave rocker with no joint to the tree: cut fewer joints",
    ),
    "reported_cuts_disconnect": (
        lambda: lw.report(four_bar().build(), cuts=["closing", "rocker_pin"]),
        "the cuts closing, rocker_pin leave rocker with no joint to the tree: cut fewer joints",
    ),
    "no_body_of_that_name": (
        lambda: arm().build().body("uper"),
        "mechanism 'arm' has no body 'uper'; did you mean 'upper'?",
    ),
    "no_joint_of_that_name": (
        lambda: arm().build().joint("knee"),
        "mechanism 'arm' has no joint 'knee'; it has shoulder, elbow",
    ),
    "integrated_position_is_too_short": (
        lambda: arm().build().integrate([0.0], [0.0, 0.0]),
        "q has shape (1,); 'arm' needs one row of 2 numbers: shoulder, elbow",
    ),
    "integrated_position_has_two_rows": (
        lambda: arm().build().integrate(np.zeros((2, 2)), [0.0, 0.0]),
        "q has shape (2, 2); 'arm' needs one row of 2 numbers: shoulder, elbow",
    ),
    "difference_to_none": (
        lambda: arm().build().difference([0.0, 0.0], None),
        "q1 must be an array of numbers, got None",
    ),
    # tables
    "table_has_an_unknown_column": (
        lambda: table({"alfa": 0.0}),
        "table, row 1: there is no column 'alfa'; did you mean 'alpha'?",
    ),
    "table_has_a_later_parent": (
        lambda: table({}, {"parent": 3}, {}),
        "table, row 2: its parent is 3; it must be an earlier row, 1 to 1, or 0 for the ground",
    ),
    "first_row_has_a_parent": (lambda: table({"parent": 1}), "table, row 1: its parent is 1; it must be 0, the ground"),
    "parent_is_half_a_row": (
        lambda: table({}, {"parent": 0.5}),
        "table, row 2: parent must be the number of an earlier row, got 0.5",
    ),
    "parent_is_a_string": (
        lambda: table({}, {"parent": "1"}),
        "table, row 2: parent must be the number of an earlier row, got '1'",
    ),
    "standard_table_branches": (
        lambda: table({}, {}, {"parent": 1}, make=lw.standard_dh),
        "table, row 3: the standard form is for chains; use modified_dh for branches",
    ),
    "standard_table_has_gamma": (
        lambda: table({"gamma": 0.1}, make=lw.standard_dh),
        "table, row 1: the standard form is for chains; use modified_dh for branches",
    ),
    "angle_is_a_string": (lambda: table({}, {"alpha": "90"}), "table, row 2: alpha must be a number, got '90'"),
    "angle_is_infinite": (lambda: table({"theta": INF}), "table, row 1: theta is inf; it must be a finite number"),
    "prismatic_is_a_word": (
        lambda: table({"prismatic": "yes"}),
        "table, row 1: prismatic must be True or False, got 'yes'",
    ),
    "mass_in_a_table_is_negative": (
        lambda: table({"mass": -1.0}),
        "body 'link1': its mass -1 is negative; it must be zero or more",
    ),
    "options_in_a_table_are_a_list": (
        lambda: table({"options": ["actuated"]}),
        "table, row 1: options must be a dict of what the joint also takes, got ['actuated']",
    ),
    "options_in_a_table_place_the_joint": (
        lambda: table({"options": {"xyz": (0, 0, 1)}}),
        "table, row 1: the table places the joint, so its options cannot have xyz",
    ),
    "options_in_a_table_are_misspelt": (
        lambda: table({}, {"options": {"actuatd": True}}),
        "table, row 2: the options of its joint cannot have 'actuatd'; did you mean 'actuated'?",
    ),
    "options_in_a_table_name_the_joint": (
        lambda: table({"options": {"name": "waist"}}),
        "table, row 1: the options of its joint cannot have 'name'; they can have actuated, limits, damping, friction, "
        "stiffness, rest, rotor_inertia",
    ),
    "joint_in_a_table_is_a_number": (lambda: table({"joint": 1}), "table, row 1: joint must be a name, got 1"),
    "row_is_a_list": (
        lambda: lw.modified_dh("table", [[0, 0, 0, 0]]),
        "table, row 1: a row is a Row or a dict of its columns, got [0, 0, 0, 0]",
    ),
    "rows_are_none": (lambda: lw.standard_dh("table", None), "table: rows must be a list of Row or of dicts, got None"),
    "rows_are_one_row": (
        lambda: lw.standard_dh("table", {"a": 1.0}),
        "table: rows must be a list of Row or of dicts, got {'a': 1.0}",
    ),
    "table_and_builder_both_have_gravity": (
        lambda: lw.modified_dh(lw.Builder("table"), [{}], gravity=(0, 0, 0)),
        "table: give gravity to the Builder, not to the table",
    ),
    "table_is_empty": (lambda: lw.standard_dh("table", []), "table: the table has no rows; give one for every link"),
    # Euler-angle joints
    "no_such_sequence": (
        lambda: lw.as_one_dof_joints(arm().build(), "ZZX"),
        "no Euler sequence 'ZZX'; it is one of XYX, XYZ, XZX, XZY, YXY, YXZ, YZX, YZY, ZXY, ZXZ, ZYX, ZYZ",
    ),
    "sequence_is_a_number": (
        lambda: lw.as_one_dof_joints(arm().build(), 321),
        "no Euler sequence 321; it is one of XYX, XYZ, XZX, XZY, YXY, YXZ, YZX, YZY, ZXY, ZXZ, ZYX, ZYZ",
    ),
    "damped_ball": (
        lambda: lw.as_one_dof_joints(_on_a_ball(damping=0.1)),
        (
            "joint 'ball': its damping acts on the angular velocity, which Euler angles do not have as "
            "coordinates; keep the joint as it is or remove the option"
        ),
    ),
    "ball_with_friction": (
        lambda: lw.as_one_dof_joints(_on_a_ball(friction=0.1)),
        "joint 'ball': its friction has no Euler-angle form; remove it",
    ),
    "half_actuated_ball": (
        lambda: lw.as_one_dof_joints(_on_a_ball(actuated=(True, True, False))),
        (
            "joint 'ball': only some of its freedoms are actuated, and Euler angles are other freedoms; "
            "actuate all of them or none"
        ),
    ),
    "effort_at_a_ball": (
        lambda: lw.as_one_dof_joints(_on_a_ball(effort=(1.0, 2.0, 3.0))),
        (
            "effort 'motor' cannot be shared out to the one-dof parts of joint 'ball': only numbers on a "
            "joint without orientation can; remove it"
        ),
    ),
    "load_by_state_beside_a_ball": (
        lambda: lw.as_one_dof_joints(_on_a_ball(force=lambda t, q, v: (v[0], 0.0, 0.0))),
        (
            "load 'push': its force is a function of (t, q, v), and q and v mean something else in the "
            "one-dof form; make it a function of t, or remove it"
        ),
    ),
    "planar_normal_is_a_parameter": (
        lambda: lw.as_one_dof_joints(_on_a_plane()),
        "joint 'table': a planar joint whose normal is a parameter has no one-dof form",
    ),
}


def _by_density():
    b = lw.Builder("bar")
    rho = b.parameter("rho", 2.0)
    b.rod("bar", 3.0 * rho, to=(1.0, 0.0, 0.0))
    b.revolute("pin", "ground", "bar")
    return b.build()


def _on_a_ball(effort=None, force=None, **options):
    b = lw.Builder("top")
    b.body("top", 1.0, (0.0, 0.0, 0.1), (0.02, 0.02, 0.03))
    b.spherical("ball", "ground", "top", **options)
    if effort is not None:
        b.effort("motor", "ball", effort)
    if force is not None:
        b.wrench("push", "top", force=force)
    return b.build()


def _on_a_plane():
    b = lw.Builder("puck")
    b.parameter("slope", 0.1)
    b.body("puck", 1.0, inertia=(1.0, 1.0, 1.0))
    b.planar("table", "ground", "puck", normal=(b["slope"], 0.0, 1.0))
    return b.build()
