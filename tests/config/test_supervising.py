"""How the supervisor of the embedded mode knows processes."""

import os
import shutil

import pytest

from config import supervising


@pytest.mark.skipif(not shutil.which("ps"), reason="needs ps")
def test_without_a_proc_folder_ps_tells_the_same_groups():
    by_ps = {process.pid: process for process in supervising._table_of_ps()}
    by_proc = {process.pid: process for process in supervising.process_table()}
    # Others come and go between the two looks; the test itself stays.
    mine = by_ps[os.getpid()]
    assert mine.group == by_proc[os.getpid()].group == os.getpgrp()
    assert "python" in mine.command
    assert len(mine.started.split()) == 5  # Wed Nov 18 01:02:03 2026


def test_a_process_is_known_by_its_start():
    mine = next(process for process in supervising.process_table() if process.pid == os.getpid())
    assert mine.started == supervising._started(os.getpid())
    assert mine.started != supervising._started(1), "the first process of the machine started earlier"
    assert supervising._started(2**31) == "", "there is no such process"
