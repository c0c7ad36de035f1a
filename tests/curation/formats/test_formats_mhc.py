"""MHC's folders: gendered texts, grammatical cases, two layouts of words."""

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from curation.formats.mhc import languages_in, read_all_languages, read_mhc
from curation.formats.values import SuiteValues, VariantValue
from curation.formats.writing_mhc import write_mhc

HEADER = (
    "functionality,templ_id,ref_templ_id,focus_lemma,case_templ,"
    "label_gold,trans_google,trans_manual,gender_male,gender_female\n"
)
FRENCH = HEADER + (
    "praise_nh,1,,like,I like [IDENT_P].,non-hateful,draft,J'aime les [IDENT_P].,,\n"
    "praise_nh,2,1,like,You are a nice [IDENT_S].,non-hateful,draft,N/A,"
    "Tu es un gentil [male_IDENT_S].,Tu es une gentille [female_IDENT_S].\n"
)
IDENT = "TARGET,[IDENT_P],[female_IDENT_S],[male_IDENT_S]\nwomen,femmes,femme,-\nmen,hommes,, homme \n"
CASES = (
    "mhc_case_id,functionality,test_case,label_gold,target_ident,ref_case_id,ref_templ_id,templ_id,case_templ,label_annotated\n"
    "french-1,praise_nh,J'aime les femmes.,non-hateful,women,,,1,J'aime les [IDENT_P].,\"['non-hateful', 'hateful']\"\n"
    "french-2,praise_nh,Tu es une gentille femme.,non-hateful,women,1.0,1.0,2,,\n"
)


@pytest.fixture
def folder(tmp_path):
    def write(files: dict[str, str]):
        for name, text in files.items():
            path = tmp_path / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(text, encoding="utf-8")
        return tmp_path

    return write


def french(folder, **changes: str):
    files = {"templates.csv": FRENCH, "placeholders/IDENT.csv": IDENT, "final_cases.csv": CASES}
    return read_mhc(
        folder(files | {name.replace("_csv", ".csv"): text for name, text in changes.items()}), language="fr"
    )


def located(values, severity):
    return [(problem.file, problem.row, problem.column) for problem in values.problems if problem.severity == severity]


def test_gendered_texts_are_ordered_by_their_tokens_in_the_word_files(folder):
    values = french(folder)
    assert values.problems == []
    assert values.templates[1].variants == (
        VariantValue("Gender=Fem", "Tu es une gentille [female_IDENT_S].", 0),
        VariantValue("Gender=Masc", "Tu es un gentil [male_IDENT_S].", 1),
    )
    assert values.templates[1].source_text == "You are a nice [IDENT_S]."
    assert values.templates[1].drafts == (("google", "draft"),)


def test_an_empty_cell_or_a_dash_is_no_form_and_blanks_are_kept(folder):
    values = french(folder)
    assert {(form.entry, form.features, form.text) for form in values.forms} == {
        ("identity-01", "Number=Plur", "femmes"),
        ("identity-01", "Gender=Fem|Number=Sing", "femme"),
        ("identity-02", "Number=Plur", "hommes"),
        ("identity-02", "Gender=Masc|Number=Sing", " homme "),
    }
    assert [entry.inherent for entry in values.entries] == ["Gender=Fem", "Gender=Masc"]


def test_references_get_the_name_of_the_language_and_labels_their_place(folder):
    values = french(folder)
    assert values.cases[1].refers_to == "french-1"
    assert [(label.case, label.annotator, label.label) for label in values.labels] == [
        ("french-1", "1", "non-hateful"),
        ("french-1", "2", "hateful"),
    ]


def test_a_text_that_is_hidden_by_a_dash_is_reported_and_imported_as_released(folder):
    values = french(folder, templates_csv=FRENCH.replace("N/A", "-"))
    assert located(values, "warning") == [("templates.csv", 3, "trans_manual")]
    assert values.templates[1].variants == (VariantValue("", "-"),)


@pytest.mark.parametrize(
    ("old", "new", "column", "fix"),
    [
        (
            "gentille [female_IDENT_S]",
            "gentille [male_IDENT_S]",
            "gender_female",
            "use the placeholder for Gender=Fem, or move the text to the other variant",
        ),
        ("gentille [female_IDENT_S]", "gentille [females_IDENT_S]", "gender_female", "did you mean [female_IDENT_S]?"),
        ("gentille [female_IDENT_S]", "gentille {female_IDENT_S]", "gender_female", "write [female_IDENT_S]"),
        (
            "gentille [female_IDENT_S]",
            "gentille [female_SLR_S]",
            "gender_female",
            "use the same kinds of words in all variants",
        ),
        (
            "les [IDENT_P].,,",
            "les [IDENT_P_leet].,,",
            "trans_manual",
            "add a column of words for it, or write [IDENT_P]",
        ),
        ("Tu es une gentille [female_IDENT_S].", "-", "gender_female", "write the text for this gender"),
        ("Tu es une gentille [female_IDENT_S].", "", "gender_female", "write the text for this gender"),
        ("les [IDENT_P].,,", "les [IDENTS_P].,,", "trans_manual", "did you mean [IDENT_P]?"),
        ("les [IDENT_P].,,", "les [IDENT_P].,le,la", "trans_manual", "write N/A here, or empty the texts per gender"),
    ],
)
def test_a_faulty_template_is_a_warning_with_a_way_out(folder, old, new, column, fix):
    values = french(folder, templates_csv=FRENCH.replace(old, new))
    assert not values.has_errors
    assert (column, fix) in [(problem.column, problem.fix) for problem in values.problems]
    assert len(values.templates) == 2


def test_every_bad_row_is_reported(folder):
    templates = FRENCH + (
        "praise_nh,2,,x,x,non-hateful,d,x,,\n"  # 4: twice
        ",3,,x,x,non-hateful,d,x,,\n"  # 5: no functionality
        "praise_nh,4,99,x,x,fine,d,x,,\n"  # 6: unknown label
        "praise_nh,5,99,x,x,hateful,d,x,,\n"  # 7: refers to nothing
        "praise_nh,6,,x,x,hateful,d,N/A,,\n"  # 8: no text
    )
    cases = CASES + (
        "french-3,praise_nh,x,hateful,,,,77,,\n"  # 4: no such template
        "french-4,praise_nh,x,hateful,,,,1,,yes\n"  # 5: no list
        "french-5,praise_nh,x,hateful,,,,1,,\"['hatefull']\"\n"  # 6: unknown label
    )
    values = french(folder, templates_csv=templates, final_cases_csv=cases)
    assert sorted(located(values, "error"), key=str) == [
        ("final_cases.csv", 4, "templ_id"),
        ("final_cases.csv", 5, "label_annotated"),
        ("final_cases.csv", 6, "label_annotated"),
        ("templates.csv", 4, "templ_id"),
        ("templates.csv", 5, "functionality"),
        ("templates.csv", 6, "label_gold"),
        ("templates.csv", 7, "ref_templ_id"),
        ("templates.csv", 8, "trans_manual"),
    ]


POLISH = {
    "templates.csv": (
        "functionality,templ_id,ref_templ_id,focus_lemma,case_templ,trans_manual,case\n"
        "praise_nh,1,,like,I like [SLR_P].,Lubię [SLR_P].,B\n"
    ),
    "placeholders/[SLR_S].csv": "TARGET,M,D\na,kot,kota\na,pies,psa\nb,mysz,myszy\n",
    "placeholders/[SLR_P].csv": "TARGET,M,D\na,psy,psów\nb,myszy,myszy\na,koty,kotów\n",
    "placeholders/[SLR_P_leet].csv": "TARGET,M,D\na,p5y,p5ów\nb,my5zy,my5zy\na,k0ty,k0tów\n",
}


def test_words_of_several_files_are_joined_by_group_and_spelling(folder):
    values = read_mhc(folder(POLISH), language="pl")
    assert values.problems == []
    nominatives = {
        entry.lemma: [form.text for form in values.forms if form.entry == entry.key and "Case=Nom" in form.features]
        for entry in values.entries
    }
    assert nominatives == {
        "kot": ["kot", "koty", "k0ty"],
        "pies": ["pies", "psy", "p5y"],
        "mysz": ["mysz", "myszy", "my5zy"],
    }


def test_each_file_keeps_the_order_of_its_rows(folder):
    values = read_mhc(folder(POLISH), language="pl")
    plural = [form for form in values.forms if form.features == "Case=Nom|Number=Plur" and not form.perturbation]
    assert [form.text for form in sorted(plural, key=lambda form: form.position)] == ["psy", "myszy", "koty"]


def test_the_grammatical_case_becomes_the_default_of_the_template(folder):
    values = read_mhc(folder(POLISH), language="pl")
    assert values.templates[0].defaults == "Case=Acc"
    assert values.templates[0].label == "non-hateful"
    wrong = POLISH | {"templates.csv": POLISH["templates.csv"].replace(",B\n", ",Akk\n")}
    assert located(read_mhc(folder(wrong), language="pl"), "error") == [("templates.csv", 2, "case")]


def test_a_group_spelt_in_two_ways_is_reported_and_kept(folder):
    files = POLISH | {"placeholders/[SLR_P_leet].csv": "TARGET,M,D\nA,p5y,p5ów\nb,my5zy,my5zy\na,k0ty,k0tów\n"}
    values = read_mhc(folder(files), language="pl")
    assert located(values, "warning") == [("placeholders/[SLR_P_leet].csv", 2, "TARGET")]
    assert [entry.target for entry in values.entries] == ["a", "a", "b", "A"]


def test_headers_that_are_almost_tokens_are_read_with_a_warning(folder):
    values = read_mhc(
        folder({"templates.csv": FRENCH, "placeholders/IDENT.csv": IDENT.replace("[IDENT_P]", "[IDENT_p_leet].")}),
        language="fr",
    )
    assert ("placeholders/IDENT.csv", 1, "[IDENT_p_leet].") in located(values, "warning")
    assert ("identity-01", "Number=Plur", "leet") in {
        (form.entry, form.features, form.perturbation) for form in values.forms
    }
    values = read_mhc(folder({"placeholders/IDENT.csv": IDENT.replace("[IDENT_P]", "plural")}), language="fr")
    assert ("placeholders/IDENT.csv", 1, "plural") in located(values, "error")


def test_language_folders_are_found_by_name(folder):
    root = folder({"french/templates.csv": FRENCH, "german/templates.csv": FRENCH, "elvish/templates.csv": FRENCH})
    assert set(languages_in(root)) == {"fr", "de"}
    assert set(languages_in(root / "french")) == {"fr"}
    assert languages_in(root / "elvish") == {}
    assert languages_in(root / "absent") == {}


def test_a_folder_without_words_or_templates_says_what_is_missing(folder, tmp_path):
    assert read_mhc(tmp_path / "absent", language="fr").has_errors
    values = read_mhc(folder({"templates.csv": FRENCH}), language="fr")
    assert ("placeholders", None, None) in located(values, "error")


def test_an_edited_text_is_exported_and_not_the_imported_one(folder):
    values = french(folder)
    template = values.templates[1]
    values.templates[1] = replace(template, variants=(VariantValue("Gender=Fem", "Salut, [female_IDENT_S] !"),))
    row = write_mhc(values, language="fr")["templates.csv"].decode().splitlines()[2]
    assert row.endswith(',N/A,,"Salut, [female_IDENT_S] !"')


def test_words_without_a_known_layout_are_written_in_a_regular_one(folder, tmp_path):
    values = french(folder)
    values.layouts.clear()
    files = write_mhc(values, language="fr")
    again = tmp_path / "again"
    for name, content in files.items():
        (again / name).parent.mkdir(parents=True, exist_ok=True)
        (again / name).write_bytes(content)
    back = read_mhc(again, language="fr")
    assert not back.problems
    assert set(back.forms) == set(values.forms)
    assert back.entries == values.entries


def test_generated_cases_beside_imported_ones_are_exported_with_empty_cells(folder, tmp_path):
    values = french(folder)
    imported = values.cases[0] = replace(values.cases[0], extra=(("disagreement_in_case", "True"),))
    values.cases.append(replace(imported, key="french-900", text="Une autre phrase.", extra=()))
    again = tmp_path / "again"
    for name, content in write_mhc(values, language="fr").items():
        (again / name).parent.mkdir(parents=True, exist_ok=True)
        (again / name).write_bytes(content)
    back = {case.key: case for case in read_mhc(again, language="fr").cases}
    assert back[imported.key] == imported
    assert back["french-900"].text == "Une autre phrase."


@settings(max_examples=100, suppress_health_check=[HealthCheck.function_scoped_fixture], deadline=None)
@given(
    data=st.binary(max_size=120), name=st.sampled_from(["templates.csv", "placeholders/IDENT.csv", "final_cases.csv"])
)
def test_no_bytes_in_any_of_the_files_crash_the_reader(folder, data, name):
    root = folder({"templates.csv": FRENCH, "placeholders/IDENT.csv": IDENT, "final_cases.csv": CASES})
    header = (root / name).read_bytes().split(b"\n")[0]
    (root / name).write_bytes(header + b"\n" + data)
    read_mhc(root, language="fr")
    (root / name).write_bytes(data)
    read_mhc(root, language="de")


def test_two_languages_with_the_same_keys_are_written_apart(folder, tmp_path):
    values = french(folder)
    other = read_mhc(folder(POLISH), language="pl")
    for name in ("entries", "forms", "templates", "layouts"):
        getattr(values, name).extend(getattr(other, name))
    assert "koty" not in write_mhc(values, language="fr")["placeholders/IDENT.csv"].decode()
    assert write_mhc(values, language="pl")["placeholders/[SLR_P].csv"] == POLISH["placeholders/[SLR_P].csv"].encode()


def test_a_file_with_too_many_words_is_refused_at_once(folder):
    rows = "".join(f"a,w{number},w{number}\n" for number in range(3000))
    values = read_mhc(folder(POLISH | {"placeholders/[SLR_S].csv": f"TARGET,M,D\n{rows}"}), language="pl")
    assert ("placeholders/[SLR_S].csv", None, None) in located(values, "error")


def test_the_folder_of_another_language_is_named_by_its_code(folder):
    root = folder({"cs/templates.csv": HEADER, "french/templates.csv": FRENCH, "french/placeholders/IDENT.csv": IDENT})
    assert set(languages_in(root)) == {"cs", "fr"}
    assert languages_in(root / "cs") == {"cs": root / "cs"}


def test_a_folder_that_is_no_language_is_named_and_not_passed_over(folder):
    root = folder(
        {"quenya/templates.csv": HEADER, "french/templates.csv": FRENCH, "french/placeholders/IDENT.csv": IDENT}
    )
    (problem,) = [problem for problem in read_all_languages(root).problems if problem.severity == "error"]
    assert problem.file == "quenya"
    assert "'quenya' is neither a language of MHC nor a language code" in problem.problem
    assert "--language" in problem.fix


def test_a_folder_without_templates_says_what_is_missing(folder):
    (problem,) = read_all_languages(folder({"all_cases.csv": "functionality\n"})).problems
    assert problem.problem == "it holds no folder with a templates.csv"


def test_a_text_for_other_features_than_gender_has_no_column(folder):
    values = read_mhc(folder({"templates.csv": FRENCH, "placeholders/IDENT.csv": IDENT}), language="fr")
    other = replace(values.templates[0], variants=(VariantValue("Gender=Neut", "x"),))
    with pytest.raises(ValueError, match="template 1 has a text for Gender=Neut"):
        write_mhc(SuiteValues(templates=[other]), language="fr")
