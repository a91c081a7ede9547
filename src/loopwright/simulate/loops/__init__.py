"""Texts of the time loops: plain functions of numbers and addresses, which program/looped.py makes native."""
