"""A request's id goes with the work it starts: through the queue into the worker's logs and audit entries."""

import pytest

pytestmark = pytest.mark.services


@pytest.mark.parametrize("instance", ["spool folder"], indirect=True)
def test_the_worker_writes_under_the_id_of_the_request(instance):
    key = instance.python(
        "import json; from accounts.request_id import request_id; request_id.set('from-the-browser-1'); "
        "from core.jobs.services import request_job; "
        "print(json.dumps(request_job('curation.count', {'to': 2}, title='count', by=None).key))"
    )
    instance.start_worker()
    instance.wait_until(key, lambda job: job["state"] == "done")
    written = instance.python(
        "import json; from accounts.models import AuditEvent; "
        "print(json.dumps(list(AuditEvent.objects.filter(subject_kind='count').values_list('request_id', flat=True))))"
    )
    assert written == ["from-the-browser-1"] * 2
