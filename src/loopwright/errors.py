"""The one error users see: it names what is wrong and says what to do."""


class LoopwrightError(Exception):
    """Something about a mechanism, a request or a run that the user can mend; the message says how."""
