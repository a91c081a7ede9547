from loopwright import zoo

from .typed import answered, in_shell, typed


def test_every_ready_mechanism_is_listed_with_its_source():
    done = typed("zoo")
    assert done.exit_code == 0
    for name, make in zoo.MECHANISMS.items():
        line = next(line for line in done.stdout.splitlines() if line.split()[:1] == [name])
        mechanism = make()
        counts = [len(mechanism.bodies), len(mechanism.joints), len(mechanism.tree.cuts)]
        assert line.split()[1:4] == [str(count) for count in counts]
        assert mechanism.source in line
        assert zoo.describe(name) in line


def test_the_same_for_a_program():
    rows = {row["name"]: row for row in answered("zoo")}
    assert list(rows) == list(zoo.MECHANISMS)
    assert (rows["stewart"]["bodies"], rows["stewart"]["joints"], rows["stewart"]["loops"]) == (13, 18, 5)


def test_names_stay_whole_on_terminals_of_any_width():
    for columns in (20, 40, 80, 120, 200):
        done = in_shell("zoo", env={"COLUMNS": str(columns), "FORCE_COLOR": "1", "NO_COLOR": "1", "TERM": "xterm"})
        assert done.returncode == 0
        assert "dual_arm_space_robot" in done.stdout
        plain = done.stdout.replace("\x1b[1m", "").replace("\x1b[0m", "")
        assert max(map(len, plain.splitlines())) <= columns
