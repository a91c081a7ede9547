from .typed import answered, typed


def test_papers_and_their_entries():
    done = typed("cite", "three_rrr", "--formulation", "legs", "--method", "abm")
    assert done.exit_code == 0
    for words in ("Koul et al. 2014, 4.2 [Koul2014]", "legs", "abm", "@article{Saha2001,", "@book{Shampine1975,"):
        assert words in done.stdout
    assert done.stdout.count("@article{Koul2014,") == 1


def test_the_same_for_a_program():
    told = answered("cite", "puma560")
    assert [row["what"] for row in told["rows"]][:2] == ["mechanism", "forward dynamics"]
    assert set(told["entries"]) == {key for row in told["rows"] for key in row["keys"]}
    assert told["entries"]["Corke1994"].startswith("@inproceedings{Corke1994,")


def test_names_that_are_not_there():
    assert "no formulation 'nothing'" in typed("cite", "four_bar", "--formulation", "nothing").output
    assert "no method 'nothing'" in typed("cite", "four_bar", "--method", "nothing").output
