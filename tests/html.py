"""Read the HTML of a page in tests without minding where its template breaks lines."""

import re


def one_line(html: str) -> str:
    """Return the HTML with every run of white space as one space, and none before the end of a tag."""
    return re.sub(r"\s+", " ", html).replace(" >", ">")
