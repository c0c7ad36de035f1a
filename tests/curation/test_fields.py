"""The one table of a case's fields, compared with what is made from it."""

from dataclasses import fields as members

from curation.catalogue.models import CaseDetails
from curation.fields import DETAILS, EXPORTED, FIELDS, IMPORTED, LONGEST, NAMES, Details
from curation.formats.values import CaseValue
from curation.models import ReleaseCase, Template, TestCase
from curation.publishing.values import FrozenCase


def test_a_published_case_has_the_fields_of_the_table():
    assert {member.name for member in members(FrozenCase)} == set(NAMES)
    assert set(NAMES) <= {field.name for field in ReleaseCase._meta.get_fields()}


def test_an_imported_case_has_the_fields_that_the_table_says_can_be_imported():
    assert {member.name for member in members(CaseValue)} == {field.value for field in IMPORTED} | {"extra"}


def test_every_lookup_leads_from_a_case_of_the_working_set():
    TestCase.objects.values_list(*(field.lookup for field in FIELDS if field.lookup))


def test_the_columns_of_export_cases_are_the_contract():
    assert [field.column for field in EXPORTED] == [
        "case_id", "functionality", "test_case", "label_gold", "target_ident", "direction", "focus_words",
        "focus_lemma", "ref_case_id", "ref_templ_id", "templ_id", "case_templ",
    ]  # fmt: skip


def test_a_released_case_holds_texts_as_long_as_a_working_one():
    for field in FIELDS:
        if field.column in LONGEST and field.name != "targets":
            assert ReleaseCase._meta.get_field(field.name).max_length == field.longest


def test_templates_and_cases_share_their_details():
    assert tuple(member.name for member in members(Details)) == DETAILS
    assert {field.name for field in CaseDetails._meta.get_fields()} == set(DETAILS)
    for model in (Template, TestCase, ReleaseCase):
        assert issubclass(model, CaseDetails)
