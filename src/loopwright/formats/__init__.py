"""Mechanisms as text, to be kept in files."""

from .exact import as_text, from_text

__all__ = ["as_text", "from_text"]
