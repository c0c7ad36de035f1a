"""Refusals of the command line and the library: one sentence that says what is wrong and what to do."""


class Refused(Exception):
    """What was asked for cannot be done."""


class Interrupted(Refused):
    """The work was stopped; what was done is kept."""
