"""How the database is opened."""

import pytest
from django.db import connection


@pytest.mark.django_db
def test_what_was_committed_is_on_the_disk():
    if connection.vendor != "sqlite":
        pytest.skip("PostgreSQL waits for the disk by its own default")
    with connection.cursor() as cursor:
        [level] = cursor.execute("PRAGMA synchronous").fetchone()
    assert level == 2  # FULL; NORMAL (1) would lose the last commits in a power cut
