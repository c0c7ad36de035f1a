import pytest

from curation.morphology.aliases import known_tokens, resolve_alias


@pytest.mark.parametrize(
    ("token", "kind", "features", "perturbation"),
    [
        ("[IDENTITY_P]", "identity", "Number=Plur", ""),
        ("[IDENTITY_A]", "identity", "Pos=Adj", ""),
        ("[SLUR_S_leet]", "slur", "Number=Sing", "leet"),
        ("[male_IDENT_S]", "identity", "Gender=Masc|Number=Sing", ""),
        ("[female_SLR_P_char_del]", "slur", "Gender=Fem|Number=Plur", "char_del"),
        ("[female_IDENT_A]", "identity", "Gender=Fem|Pos=Adj", ""),
        ("[IDENT_P_SUB_leet]", "identity", "Case=Nom|Number=Plur", "leet"),
        ("[male_IDENT_S_sent_arabizi]", "identity", "Gender=Masc|Number=Sing", "arabizi"),
        ("[SLR_S_homoph]", "slur", "Number=Sing", "homophone"),
        ("[IDENT_P_char_swap]", "identity", "Number=Plur", "char_swap"),
        ("SLR_S_word_variation", "slur", "Number=Sing", "word_variation"),
        ("[male_SLR_p_char_del]", "slur", "Gender=Masc|Number=Plur", "char_del"),
    ],
)
def test_a_published_token_stands_for_kind_features_and_perturbation(token, kind, features, perturbation):
    alias = resolve_alias(token)
    assert alias is not None
    assert (alias.kind, str(alias.features), alias.perturbation) == (kind, features, perturbation)


@pytest.mark.parametrize(
    "token", ["[females_IDENT_P]", "[IDENT]", "[IDENT_P_le]", "[ident_p]", "[IDENT_X]", "[]", "IDENT_S_", "[_IDENT_S]"]
)
def test_a_misspelt_token_is_not_guessed(token):
    assert resolve_alias(token) is None


def test_every_known_token_can_be_resolved():
    tokens = known_tokens(kinds=frozenset({"identity", "slur"}))
    assert len(tokens) == len(set(tokens))
    assert all(resolve_alias(token) for token in tokens)


def test_only_tokens_of_the_asked_kinds_are_known():
    kinds = {resolve_alias(token).kind for token in known_tokens(kinds=frozenset({"slur"}))}  # type: ignore[union-attr]
    assert kinds == {"slur"}
