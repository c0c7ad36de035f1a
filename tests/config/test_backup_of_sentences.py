"""A backup keeps sentences with message and values, so that a restored instance shows them in any language."""

import io
import json
import zipfile

import pytest
from django.db import connection

from config.backup import _write_table
from core.fields import SentenceField
from core.models import Job
from core.text import Text, _, recall


@pytest.mark.django_db
def test_sentences_of_a_job_come_back_as_texts():
    error = _("Row %(row)s is empty.", row=3)
    Job.objects.create(kind="curation.count", title="x", error=error, result={"problems": [error], "plain": 1})
    with zipfile.ZipFile(io.BytesIO(), "w") as archive:
        facts = _write_table(archive, Job, connection)
        row = dict(zip(facts["columns"], json.loads(archive.read(f"tables/{Job._meta.db_table}.jsonl")), strict=True))
    back = SentenceField().from_db_value(row["error"], None, None)
    assert (back, type(back), back.values) == (error, Text, {"row": 3})
    assert recall(row["result"])["problems"][0].values == {"row": 3}
