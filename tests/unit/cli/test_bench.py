import sys

from .typed import in_shell, typed


def test_a_benchmark_that_is_not_there_is_said_by_the_benchmarks_themselves():
    done = in_shell("bench", "nothing")
    assert done.returncode == 2
    assert "no benchmark is called nothing; there are: batched" in done.stderr


def test_without_a_checkout_it_says_what_to_do(monkeypatch, tmp_path):
    monkeypatch.setattr(sys.modules["loopwright.cli.bench"], "CHECKOUT", tmp_path)
    done = typed("bench")
    assert done.exit_code == 1
    assert "make bench" in done.output
