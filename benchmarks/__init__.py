"""Measurements of Loopwright: `python -m benchmarks` from the top of the repository."""
