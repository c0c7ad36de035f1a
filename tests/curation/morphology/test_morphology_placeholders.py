import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from curation.morphology.features import of_pairs, parse_features
from curation.morphology.placeholders import Choice, Option, Placeholder, Template, TemplateError, Text, parse
from curation.morphology.placeholders.grammar import Parser
from curation.morphology.placeholders.tokenizing import tokenize

KINDS = {"identity", "slur", "profession"}


def test_a_placeholder_says_kind_features_and_perturbation():
    (placeholder,) = parse("[slur:Number=Sing,Case=Acc|leet]").placeholders
    assert placeholder == Placeholder("slur", parse_features("Case=Acc|Number=Sing"), "leet")


def test_blanks_inside_the_brackets_do_not_matter():
    assert parse("[ identity : Number = Plur ]") == parse("[identity:Number=Plur]")


def test_published_tokens_are_accepted_and_kept_as_typed():
    template = parse("I like [IDENTITY_P] and [male_IDENT_S_leet].")
    assert [placeholder.alias for placeholder in template.placeholders] == ["IDENTITY_P", "male_IDENT_S_leet"]
    assert str(template) == "I like [IDENTITY_P] and [male_IDENT_S_leet]."


def test_a_label_makes_two_placeholders_one_word():
    first, second = parse("[identity#1:Number=Plur], each [identity#1:Number=Sing]").placeholders
    assert first.label == second.label == "1"


def test_a_choice_is_read_with_and_without_features():
    short, long = parse("[identity] {tous|toutes} {Gender=Masc:beaux|Gender=Fem,Number=Plur:belles|beau}").choices
    assert [option.text for option in short.options] == ["tous", "toutes"]
    assert short.is_shorthand
    assert not long.is_shorthand
    assert [str(option.features) for option in long.options] == ["Gender=Masc", "Gender=Fem|Number=Plur", "None"]


def test_a_choice_may_name_the_word_it_follows():
    (choice,) = parse("[identity#a] and [slur#b] {#b:fou|folle}").choices
    assert choice.follows == "b"


def test_escapes_give_the_sign_itself():
    assert parse(r"a \[list\] \{set\} \\ and c:\dir").parts == (Text("a [list] {set} \\ and c:\\dir"),)
    (choice,) = parse(r"[identity] {a\|b|x\:y}").choices
    assert [option.text for option in choice.options] == ["a|b", "x:y"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        (
            "I hate [identty:Number=Plur]",
            "character 8: no placeholder is called 'identty'; known: identity, profession, slur; "
            "did you mean [identity]?",
        ),
        (
            "Les [females_IDENT_P] sont",
            "character 5: no placeholder is called 'females_IDENT_P'; known: identity, profession, slur; "
            "did you mean [female_IDENT_P]?",
        ),
        ("uma {female_IDENT_S] morta", "character 5: '{' meets ']' before it is closed; write [female_IDENT_S]"),
        ("a [identity} b", "character 3: '[' meets '}' before it is closed; write [identity]"),
        ("the [identity", "character 5: '[' is never closed; add ']', or write \\[ for the character itself"),
        ("smile :]", "character 8: ']' closes nothing; write \\] for the character itself"),
        ("[]", "character 2: a kind of word is missing"),
        ("[identity:Number]", "character 11: 'Number' has no value; write Number=Value"),
        ("[identity:Number=]", "character 18: the value of Number is missing"),
        ("[identity:Number=Plur,Number=Sing]", "character 23: Number is given two values, Plur and Sing; keep one"),
        ("[identity|]", "character 11: a perturbation after '|' is missing"),
        (
            "[identity leet]",
            "character 11: 'leet' is not expected here; the order is "
            "[kind#label:Feature=Value,Feature=Value|perturbation]",
        ),
        ("[identity] {tous}", "character 12: '{tous}' offers no choice; separate at least two options with '|', "),
        ("{IDENT_P}", "character 1: '{IDENT_P}' offers no choice; write [IDENT_P] for a placeholder"),
        ("{tous|toutes} les gens", "character 1: a choice follows a placeholder, and this template has none"),
        ("[identity] {#2:un|une}", "character 12: no placeholder is labelled #2"),
        ("[identity#1] [slur#1]", "character 14: #1 is slur here and identity at character 1"),
        ("[identity] {a|Gender=Fem:b|c}", "character 12: only the last option may come without features"),
        ("[identity] {Gender=Fem:a|Gender=Fem:b}", "character 12: two options have the same features"),
        ("[identity [slur]]", "character 1: '[' meets '[' before it is closed; close it with ']' first"),
    ],
)
def test_an_error_says_where_what_and_what_is_known(text, message):
    with pytest.raises(TemplateError) as caught:
        parse(text, kinds=KINDS)
    assert str(caught.value).startswith(message)


def test_a_perturbation_is_checked_where_the_known_ones_are_given():
    assert parse("[slur|leat]").placeholders[0].perturbation == "leat"
    with pytest.raises(
        TemplateError, match="character 7: no perturbation is called 'leat'; known: leet; did you mean leet"
    ):
        parse("[slur|leat]", perturbations={"leet"})


def test_an_alias_of_a_kind_that_is_not_there_is_refused():
    with pytest.raises(TemplateError, match="no placeholder is called 'SLR_S'"):
        parse("[SLR_S]", kinds={"identity"})


def test_a_very_long_template_is_read_or_refused_in_no_time_and_quoted_in_short():
    with pytest.raises(TemplateError) as caught:
        parse("[" + "x" * 1_000_000 + "]")
    assert len(str(caught.value)) < 200
    assert len(parse("[identity] " * 5_000).placeholders) == 5_000


# --- properties

BITS = st.sampled_from([*"[]{}|:#=,\\ ab", "identity", "slur", "IDENT_P", "Number=Plur", "leet", "tous", "ü", "中"])
SCRIBBLE = st.lists(BITS, max_size=24).map("".join)
FEATURES = st.dictionaries(st.sampled_from(["Case", "Gender", "Number"]), st.sampled_from(["Sing", "Fem", "Dat"])).map(
    lambda pairs: of_pairs(pairs.items())
)
WORDS = st.text(st.sampled_from("abü中 .'|:#\\[]{}-"), min_size=1, max_size=8)
PLACEHOLDERS = st.builds(
    Placeholder,
    st.just("identity"),
    FEATURES,
    st.sampled_from(["", "leet", "char_del"]),
    st.sampled_from(["", "1"]),
)
ALIASES = st.just(Placeholder("slur", parse_features("Number=Sing"), "leet", "", "SLUR_S_leet"))
OPTIONS = st.text(st.sampled_from("abü |:#\\[]{}="), max_size=6)
CHOICES = st.one_of(
    st.lists(OPTIONS.map(Option), min_size=2, max_size=3).map(lambda options: Choice(tuple(options))),
    st.lists(
        st.builds(Option, OPTIONS, FEATURES.filter(bool)), min_size=2, max_size=3, unique_by=lambda o: o.features
    ).map(lambda options: Choice(tuple(options))),
)


@st.composite
def templates(draw: st.DrawFn) -> Template:
    """Any template that can be printed: texts never touch, and a choice has a word to follow."""
    parts = draw(st.lists(st.one_of(WORDS.map(Text), PLACEHOLDERS, ALIASES, CHOICES), max_size=7))
    apart = [p for n, p in enumerate(parts) if not (isinstance(p, Text) and n and isinstance(parts[n - 1], Text))]
    if any(isinstance(part, Choice) for part in apart):
        apart.append(Placeholder("identity"))
    return Template(tuple(apart))


@given(templates())
def test_a_printed_template_is_read_back_as_it_was(template: Template):
    assert parse(str(template)) == template


@given(st.one_of(SCRIBBLE, st.text()))
@example("\\")
@example("[identity#:Number=Plur]")
def test_no_text_crashes_the_parser_and_what_it_reads_it_prints_as_typed(text: str):
    try:
        printed, position = str(parse(text)), 1
    except TemplateError as error:
        printed, position = text, error.position
    assert printed == text
    assert 1 <= position <= len(text) + 1


@given(st.one_of(SCRIBBLE, templates().map(str)))
def test_the_short_way_of_reading_gives_what_the_grammar_gives(text: str):
    def outcome(read):
        try:
            parts = read().parts
        except TemplateError as error:
            return str(error)
        return parts, [part.position for part in parts], [part.typed for part in parts]

    kinds = frozenset({"identity", "slur"})
    assert outcome(lambda: parse(text)) == outcome(lambda: Parser(text, kinds, None).template())


@given(st.one_of(SCRIBBLE, st.text()))
def test_tokens_cover_the_text_without_gaps(text: str):
    tokens = list(tokenize(text))
    assert "".join(token.text for token in tokens) == text
    assert all(token.text for token in tokens)
