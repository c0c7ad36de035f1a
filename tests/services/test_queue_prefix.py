"""Two instances on one broker: `--queues light,models`, as the documents say, means the instance's own queues."""

import pytest

from config.celery import PrefixedQueues

pytestmark = pytest.mark.services


@pytest.mark.parametrize("prefix", ["", "one-", "l", "light", "models-"])
def test_queues_are_prefixed_once_whatever_the_prefix(settings, prefix):
    settings.QUEUE_PREFIX = prefix
    for given in ("light,models", f"{prefix}light,{prefix}models"):
        queues = PrefixedQueues()
        queues.select(given)
        assert set(queues.consume_from) == {f"{prefix}light", f"{prefix}models"}


def test_a_worker_with_the_documented_queues_does_the_work_of_a_prefixed_instance(instance):
    assert instance.environment["QUEUE_PREFIX"]
    key = instance.python(
        "import json; from core.jobs.services import request_job; "
        "print(json.dumps(request_job('curation.count', {'to': 2}, title='count', by=None).key))"
    )
    instance.start_worker(queues="light")
    assert instance.wait_until(key, lambda job: job["state"] not in ("running", "queued"))["state"] == "done"
