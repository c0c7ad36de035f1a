"""Pages of suites, catalogue, lexicon and import."""

import json

import pytest
from django.urls import reverse

from core.errors import BadInput
from core.models import Job
from curation.authoring.preview import preview
from curation.authoring.wording_checks import VariantText
from curation.cases.handwritten import write_case
from curation.catalogue.languages import add_language, change_language
from curation.catalogue.loading import load_catalogue
from curation.lexicon import services as lexicon
from curation.lexicon.paradigms import Cell, cells_of_schema
from curation.models import Functionality, Language, LexiconEntry, ProtectedGroup, Suite

pytestmark = pytest.mark.django_db


@pytest.fixture
def suite() -> Suite:
    load_catalogue()
    suite = Suite.objects.create(key="small", name="Small suite")
    suite.languages.add(Language.objects.get(code="de"))
    return suite


def save(client, address: str, **changed: str):
    """Send the form of a page with some values changed."""
    form = client.get(address).context["form"]
    return client.post(address, {name: form[name].value() for name in form.fields} | changed)


PAGES = ["suites", "catalogue", "lexicon"]


@pytest.mark.parametrize("name", PAGES)
def test_an_expert_can_open_it(client, emil, suite, name, django_assert_max_num_queries):
    client.force_login(emil)
    with django_assert_max_num_queries(20):
        assert client.get(reverse(f"curation:{name}")).status_code == 200


@pytest.mark.parametrize("name", PAGES)
def test_a_stranger_is_sent_to_sign_in(client, suite, name):
    answer = client.get(reverse(f"curation:{name}"))
    assert answer.status_code == 302
    assert "login" in answer["Location"]


@pytest.mark.parametrize("name", ["catalogue", "lexicon"])
def test_an_annotator_is_refused(client, ana, suite, name):
    client.force_login(ana)
    assert client.get(reverse(f"curation:{name}")).status_code == 403


def test_a_suite_page_shows_its_languages(client, emil, suite):
    client.force_login(emil)
    assert "German" in client.get(suite.get_absolute_url()).content.decode()


def test_a_suite_page_says_what_each_file_holds(client, emil, suite):
    client.force_login(emil)
    page = client.get(suite.get_absolute_url()).content.decode()
    assert "Everything in the suite" not in page
    assert "All cases in use, each with the text of its template. You can import the file again." in page
    assert page.count("Words and labels made in Touchstone are not included.") == 2


def test_an_unknown_suite_is_not_found(client, emil):
    client.force_login(emil)
    assert client.get(reverse("curation:suite", args=["nothing"])).status_code == 404


def test_a_maintainer_makes_a_suite_with_labels_of_its_own(client, mira):
    load_catalogue()
    client.force_login(mira)
    form = {
        "key": "toxic", "name": "Toxicity", "languages": ["en"],
        "labels": "toxic\nfine\nunclear",
        "raters": 3, "threshold": 2, "policy": "mark", "description": "", "licence": "", "authors": "A. Person",
    }  # fmt: skip
    answer = client.post(reverse("curation:suite-new"), form)
    assert answer.status_code == 302
    assert Suite.objects.get(key="toxic").labels == ["toxic", "fine", "unclear"]


def test_an_expert_cannot_make_a_suite(client, emil):
    client.force_login(emil)
    assert client.get(reverse("curation:suite-new")).status_code == 403


def test_a_maintainer_adds_a_language_with_its_features(client, mira):
    client.force_login(mira)
    form = {"code": "sw", "name": "Swahili", "script": "Latn", "direction": "ltr", "features": "Number: Sing, Plur"}
    client.post(reverse("curation:language-new"), form)
    assert Language.objects.get(code="sw").features["features"] == [{"name": "Number", "values": ["Sing", "Plur"]}]


def test_a_wrong_feature_is_explained_beside_the_field(client, mira):
    client.force_login(mira)
    form = {"code": "sw", "name": "Swahili", "script": "Latn", "direction": "ltr", "features": "plural"}
    assert "Number: Sing, Plur" in client.post(reverse("curation:language-new"), form).content.decode()
    assert not Language.objects.filter(code="sw").exists()


def test_experts_add_functionalities_and_groups(client, emil, suite):
    client.force_login(emil)
    form = {
        "title": "Irony",
        "functionality_class": "Irony",
        "gold_label": "non-hateful",
        "definition": "Says the opposite.",
        "key": "",
    }
    client.post(reverse("curation:functionality-new"), form)
    client.post(reverse("curation:group-new"), {"name": "elderly people", "characteristic": "age"})
    assert Functionality.objects.get(key="irony").gold_label == "non-hateful"
    assert ProtectedGroup.objects.filter(key="elderly-people").exists()


def test_a_cell_is_saved_from_the_grid(client, emil, suite):
    german = Language.objects.get(code="de")
    entry = lexicon.add_entry(suite, german, kind="identity", lemma="Frau", by=emil)
    client.force_login(emil)
    asked = {
        "suite": "small",
        "language": "de",
        "kind": "identity",
        "entry": entry.key,
        "cell": "Number=Plur",
        "text": "Frauen",
    }
    answer = client.post(reverse("curation:lexicon-cell"), json.dumps(asked), content_type="application/json")
    assert answer.json() == {"written": 1, "text": "Frauen"}
    assert entry.forms.get().features == "Number=Plur"


def test_columns_are_headed_by_what_their_features_are_called(client, emil, suite):
    entry = lexicon.add_entry(suite, Language.objects.get(code="de"), kind="identity", lemma="Frau", by=emil)
    lexicon.set_form(entry, Cell("", "Case=Dat|Number=Plur"), "Frauen", by=emil)
    client.force_login(emil)
    page = client.get(reverse("curation:lexicon"), {"suite": "small", "language": "de"}).content.decode()
    assert '<span title="Case=Dat|Number=Plur">dative plural</span>' in page
    assert 'data-cell="Case=Dat|Number=Plur"' in page
    language = client.get(reverse("curation:language", args=["de"])).content.decode()
    assert '<span title="Case">case</span>' in language
    assert '<span title="Case=Dat">dative</span>' in language


@pytest.mark.parametrize(
    ("code", "said"),
    [
        ("hi", "No suggestions: there is no morphology package for Hindi (Latin script)."),
        ("en", "No suggestions for the empty cells."),
    ],
)
def test_no_suggestions_are_explained(client, mira, suite, code, said):
    client.force_login(mira)
    asked = {"suite": "small", "language": code, "kind": "identity", "what": "propose"}
    assert said in client.post(reverse("curation:lexicon-suggestions"), asked, follow=True).content.decode()


def test_a_block_is_pasted_into_the_columns_that_are_shown(client, emil, suite):
    german = Language.objects.get(code="de")
    entry = lexicon.add_entry(suite, german, kind="identity", lemma="Frau", by=emil)
    client.force_login(emil)
    place = {
        "suite": "small",
        "language": "de",
        "kind": "identity",
        "columns": "used",
        "column": "Gender=Fem|Number=Plur",
    }
    shown = client.get(reverse("curation:lexicon"), place).context["grid"].cells
    asked = {
        **place,
        "extra": place["column"],
        "entry": entry.key,
        "cell": shown[-2].title,
        "text": "Frau\tFrauen",
    }
    answer = client.post(reverse("curation:lexicon-cell"), json.dumps(asked), content_type="application/json")
    assert answer.json() == {"written": 2}
    assert entry.forms.get(features="Gender=Fem|Number=Plur").text == "Frauen"


def test_a_column_that_is_none_is_refused_beside_the_grid(client, emil, suite):
    client.force_login(emil)
    answer = client.get(reverse("curation:lexicon"), {"suite": "small", "language": "de", "column": "plural"})
    assert "&#x27;plural&#x27; is not a column" in answer.content.decode()


def test_a_word_page_asks_for_what_the_spelling_rules_of_its_language_need(client, mira, suite):
    italian = Language.objects.get(code="it")
    entry = lexicon.add_entry(suite, italian, kind="identity", lemma="gnomo", by=mira)
    client.force_login(mira)
    address = reverse("curation:word", args=["small", "it", entry.key])
    client.post(address, {"lemma": "gnomo", "article": "il"})
    entry.refresh_from_db()
    assert entry.properties == {"article": "il"}
    assert "stressed_a" not in client.get(address).content.decode()


def test_the_grid_says_why_a_cell_cannot_be_saved(client, emil, suite):
    french = Language.objects.get(code="fr")
    entry = LexiconEntry.objects.create(suite=suite, language=french, key="identity-01", kind="identity", lemma="femme")
    client.force_login(emil)
    asked = {
        "suite": "small",
        "language": "fr",
        "kind": "identity",
        "entry": entry.key,
        "cell": "Number=Plur",
        "text": "femmes",
    }
    answer = client.post(
        reverse("curation:lexicon-cell"),
        json.dumps(asked),
        content_type="application/json",
        headers={"Accept": "application/json"},
    )
    assert answer.status_code == 403
    assert "expert" in answer.json()["title"]


def test_an_import_is_queued_and_its_report_can_be_seen(client, mira, suite, tmp_path, settings):
    from django.core.files.uploadedfile import SimpleUploadedFile

    from core.jobs.services import perform

    settings.MEDIA_ROOT = tmp_path
    client.force_login(mira)
    file = SimpleUploadedFile(
        "cases.csv", b"functionality,test_case,label_gold\nprofanity_nh,Nothing bad.,non-hateful\n"
    )
    form = {"file": file, "format": "csv", "suite": "fresh", "language": "en", "dry_run": ""}
    answer = client.post(reverse("curation:import"), form)
    job = Job.objects.get(kind="curation.import_suite")
    assert answer["Location"] == job.get_absolute_url()
    assert perform(job.key, worker="test").state == "done"
    assert Suite.objects.get(key="fresh").cases.count() == 1


def test_an_archive_that_climbs_out_of_its_folder_is_refused(client, mira, tmp_path, settings):
    import io
    import zipfile

    from django.core.files.uploadedfile import SimpleUploadedFile

    settings.MEDIA_ROOT = tmp_path
    content = io.BytesIO()
    with zipfile.ZipFile(content, "w") as archive:
        archive.writestr("../evil.csv", "x")
    client.force_login(mira)
    form = {"file": SimpleUploadedFile("a.zip", content.getvalue()), "format": "mhc", "suite": "x"}
    assert "outside its folder" in client.post(reverse("curation:import"), form).content.decode()
    assert not Job.objects.exists()


def test_a_maintainer_declares_fallbacks_on_the_languages_page(client, mira, suite):
    client.force_login(mira)
    address = reverse("curation:language", args=["de"])
    save(client, address, fallbacks="Case=Acc -> Case=Nom")
    assert Language.objects.get(code="de").features["fallbacks"] == [["Case=Acc", "Case=Nom"]]
    assert "Case=Acc -&gt; Case=Nom" in client.get(address).content.decode()


def test_a_maintainer_settles_the_spelling_on_the_page_of_a_language(client, mira, suite):
    client.force_login(mira)
    address = reverse("curation:language", args=["de"])
    save(client, address, capitalise="sentences", articles="", outer_blanks="drop")
    assert Language.objects.get(code="de").features["spelling"] == {"capitalise": "sentences", "tidy_spaces": True}
    assert '<option value="sentences" selected>' in client.get(address).content.decode()


def test_the_list_and_the_page_of_a_new_language_count_the_same_functionalities(client, mira, suite):
    facts = {"name": "Czech", "script": "Latn", "direction": "ltr", "features": {"Number": ["Sing", "Plur"]}}
    czech = add_language(code="cs", **facts, by=mira)
    client.force_login(mira)
    page = client.get(reverse("curation:language", args=["cs"])).context["rows"]
    applying = [item.key for item, coverage in page if coverage.applies]
    assert dict(client.get(reverse("curation:catalogue")).context["languages"])[czech] == len(applying) == 30
    assert not {"spell_pinyin_h", "spell_sent_arabazi_h", "spell_char_eng_replace_h"} & set(applying)
    form = {"functionality": "slur_reclaimed_nh", "applies": "no", "reason": "There is none."}
    client.post(reverse("curation:language", args=["cs"]), form)
    assert dict(client.get(reverse("curation:catalogue")).context["languages"])[czech] == len(applying) - 1


def test_what_was_said_about_a_functionality_counts_more_than_its_script(client, mira, suite):
    client.force_login(mira)
    where = reverse("curation:language", args=["de"])
    client.post(where, {"functionality": "spell_pinyin_h", "applies": "yes"})
    rows = {item.key: coverage for item, coverage in client.get(where).context["rows"]}
    assert rows["spell_pinyin_h"].applies
    assert not rows["spell_homoph_h"].applies
    assert rows["spell_homoph_h"].reason == "Made for Chinese characters."


def test_a_maintainer_changes_a_language_on_its_page(client, mira, suite):
    client.force_login(mira)
    address = reverse("curation:language", args=["de"])
    form = client.get(address).context["form"]
    values = {name: form[name].value() for name in form.fields}
    values |= {"autonym": "Hochdeutsch", "features": f"{values['features']}\nHarmony: A, E", "fixed": "Harmony"}
    assert client.post(address, values).status_code == 302
    german = Language.objects.get(code="de")
    assert (german.autonym, german.features["fixed"]) == ("Hochdeutsch", ["Harmony"])
    assert german.features["features"][-1] == {"name": "Harmony", "values": ["A", "E"]}
    assert not any("Harmony" in cell.features for cell in cells_of_schema(german, "identity"))


def test_a_feature_value_that_words_use_cannot_be_removed(client, mira, suite):
    entry = lexicon.add_entry(suite, Language.objects.get(code="de"), kind="identity", lemma="Frau", by=mira)
    lexicon.set_form(entry, Cell("", "Case=Dat|Number=Plur"), "Frauen", by=mira)
    client.force_login(mira)
    values = {"name": "German", "script": "Latn", "direction": "ltr"}
    values |= {"features": "Case: Nom, Gen, Acc\nNumber: Sing, Plur", "fixed": ""}
    answer = client.post(reverse("curation:language", args=["de"]), values)
    assert "use Case=Dat (1 time)" in answer.context["form"].errors["features"][0]
    assert "Dat" in Language.objects.get(code="de").features["features"][0]["values"]


def test_only_maintainers_change_the_catalogue(client, emil, suite):
    client.force_login(emil)
    values = {"name": "X", "script": "Latn", "direction": "ltr", "features": "Number: Sing, Plur"}
    answer = client.post(reverse("curation:language", args=["de"]), values)
    assert "maintainer" in str(answer.context["form"].errors)
    for name, key in (("functionality", "ident_pos_nh"), ("group", "women")):
        assert client.post(reverse(f"curation:{name}", args=[key]), {"then": "remove"}).status_code == 403


def test_a_functionality_is_changed_and_removed(client, mira, suite):
    client.force_login(mira)
    address = reverse("curation:functionality", args=["ident_pos_nh"])
    form = client.get(address).context["form"]
    values = {name: form[name].value() for name in form.fields} | {"title": "Praise", "gold_label": "hateful"}
    client.post(address, values)
    changed = Functionality.objects.get(key="ident_pos_nh")
    assert (changed.title, changed.gold_label) == ("Praise", "hateful")
    write_case(suite, Language.objects.get(code="de"), changed, by=mira, text="Schön.")
    answer = client.post(address, values | {"gold_label": "non-hateful"})
    assert "0 templates and 1 case " in answer.context["form"].errors["gold_label"][0]
    assert "It is used by" in client.post(address, {"then": "remove"}, headers={"Accept": "text/html"}).content.decode()
    unused = reverse("curation:functionality", args=["spell_pinyin_h"])
    assert client.post(unused, {"then": "remove"}).status_code == 302
    assert not Functionality.objects.filter(key="spell_pinyin_h").exists()


def test_groups_are_renamed_and_merged(client, mira, suite):
    client.force_login(mira)
    entry = lexicon.add_entry(
        suite, Language.objects.get(code="de"), kind="identity", lemma="x", target="women", by=mira
    )
    client.post(reverse("curation:group-new"), {"name": "elderly people", "characteristic": "age"})
    address = reverse("curation:group", args=["elderly-people"])
    client.post(address, {"name": "old people", "characteristic": "age"})
    assert ProtectedGroup.objects.get(key="elderly-people").name == "old people"
    client.post(reverse("curation:group", args=["women"]), {"into": "elderly-people"})
    assert not ProtectedGroup.objects.filter(key="women").exists()
    assert [group.key for group in entry.target.groups.all()] == ["elderly-people"]
    assert "1 target group." in client.post(address, {"then": "remove"}).content.decode()


def test_authors_with_an_orcid_survive_a_change_on_the_page(client, mira, suite):
    ada = {"name": "Ada Lovelace", "orcid": "0000-0001"}
    Suite.objects.filter(key="small").update(authors=[ada, "B. Person"])
    client.force_login(mira)
    address = reverse("curation:suite-edit", args=["small"])
    form = client.get(address).context["form"]
    assert form["authors"].value() == "Ada Lovelace\nB. Person"
    values = {name: form[name].value() for name in form.fields} | {"name": "Renamed"}
    assert client.post(address, values).status_code == 302
    assert Suite.objects.get(key="small").authors == [ada, "B. Person"]


SLOVAK = {"code": "sk", "name": "Slovak", "script": "Latn", "direction": "ltr", "features": "Number: Sing, Plur"}


def test_spelling_rules_of_a_language_are_tried_and_used(client, mira, suite):
    client.force_login(mira)
    rules = "s -> so before s, z, š, ž\nk -> ku before k, g"
    wrong = SLOVAK | {"rules": rules, "examples": "s ženou = so ženou\ns mužom = so mužom"}
    page = client.post(reverse("curation:language-new"), wrong)
    assert page.context["form"].errors["examples"] == ["With these rules 's mužom' becomes 's mužom', not 'so mužom'."]
    right = SLOVAK | {
        "rules": rules,
        "examples": "s ženou = so ženou\ns mužom = s mužom\nideme k kamarátovi = ideme ku kamarátovi",
    }
    assert client.post(reverse("curation:language-new"), right).status_code == 302
    slovak = Language.objects.get(code="sk")
    suite.languages.add(slovak)
    for lemma in ("ženou", "mužom"):
        entry = lexicon.add_entry(suite, slovak, kind="identity", lemma=lemma, by=mira)
        lexicon.set_form(entry, Cell("", "Number=Sing"), lemma, by=mira)
    seen = preview(suite, slovak, [VariantText("", "Hovorím s [identity:Number=Sing].")])
    assert [case.text for case in seen.cases] == ["Hovorím so ženou.", "Hovorím s mužom."]


def test_rules_that_cannot_be_read_or_are_built_in_are_refused(client, mira, suite):
    client.force_login(mira)
    page = client.post(reverse("curation:language-new"), SLOVAK | {"rules": "s becomes so"})
    assert "is not a spelling rule. Write it like" in page.context["form"].errors["rules"][0]
    assert "rules" not in client.get(reverse("curation:language", args=["fr"])).context["form"].fields
    with pytest.raises(BadInput, match="is built in"):
        change_language(Language.objects.get(code="fr"), rules=["a -> b before c"], by=mira)


def test_the_key_of_a_suite_stays_once_it_has_releases(client, mira, suite):
    client.force_login(mira)
    assert save(client, reverse("curation:suite-edit", args=["small"]), key="tiny").status_code == 302
    suite.releases.create(version="1.0.0", min_agree=4)
    refused = save(client, reverse("curation:suite-edit", args=["tiny"]), key="mini")
    assert refused.context["form"].errors["key"] == ["The key cannot change: releases are cited as tiny@version."]
