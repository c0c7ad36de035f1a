"""A worker that is killed in the middle of a job: nothing is lost, nothing happens twice."""

import pytest

pytestmark = pytest.mark.services
STEPS = 12


def test_a_job_survives_the_death_of_its_worker(instance):
    key = instance.python(
        "import json; from core.jobs.services import request_job; "
        f"print(json.dumps(request_job('curation.count', {{'to': {STEPS}, 'pause': 0.4}}, title='count', by=None).key))"
    )
    first = instance.start_worker()
    instance.wait_until(key, lambda job: job["state"] == "running" and job["done"] >= 2)
    instance.kill(first)
    halfway = instance.job(key)
    assert halfway["state"] == "running"
    assert halfway["done"] < STEPS

    instance.start_worker()
    ended = instance.wait_until(key, lambda job: job["state"] not in ("running", "queued"))

    assert ended["state"] == "done", ended
    assert ended["attempts"] == 2
    marks = instance.python(
        "import json; from accounts.models import AuditEvent; "
        "print(json.dumps([e.facts['number'] for e in AuditEvent.objects.filter(subject_kind='count').order_by('id')]))"
    )
    assert marks == list(range(1, STEPS + 1))
