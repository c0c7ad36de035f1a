"""Each rule with examples and counter-examples; the words are harmless on purpose."""

import pytest

from curation.formats.values import VariantValue
from curation.morphology.expand import Expander
from curation.morphology.features import parse_features
from curation.morphology.lexicon import Entry, Form, Lexicon
from curation.morphology.orthography import load_orthography


def filled(
    language: str,
    template: str,
    word: str,
    *,
    lemma: str = "",
    perturbation: str = "",
    inherent: str = "",
    settings=None,
    **properties,
) -> str:
    """The template with one word in it."""
    entry = Entry("w", "identity", "", lemma or word, 0, parse_features(inherent), properties)
    lexicon = Lexicon([entry], [Form("w", parse_features(""), perturbation, word)])
    expander = Expander(lexicon, load_orthography(language, **(settings or {})))
    ready = template.replace("_", f"[identity{'|' + perturbation if perturbation else ''}]")
    (case,) = expander.expand([VariantValue("", ready)], strict=True)
    return case.text


@pytest.mark.parametrize(
    ("word", "expected"),
    [
        ("immigrant", "an immigrant"),
        ("baker", "a baker"),
        ("hour", "an hour"),
        ("honest man", "an honest man"),
        ("heir", "an heir"),
        ("house", "a house"),
        ("university", "a university"),
        ("unit", "a unit"),
        ("unimportant man", "an unimportant man"),
        ("unidentified man", "an unidentified man"),
        ("uncle", "an uncle"),
        ("European", "a European"),
        ("Ukrainian", "a Ukrainian"),
        ("Uzbek", "an Uzbek"),
        ("one-armed man", "a one-armed man"),
        ("onion", "an onion"),
        ("user", "a user"),
        ("usher", "an usher"),
        ("MP", "an MP"),
        ("LGBT person", "an LGBT person"),
        ("UN envoy", "a UN envoy"),
        ("NATO soldier", "a NATO soldier"),
        ("8-year-old", "an 8-year-old"),
        ("18-year-old", "an 18-year-old"),
        ("180-year-old", "a 180-year-old"),
        ("M u s l i m", "a M u s l i m"),
        ("i m m i g r a n t", "an i m m i g r a n t"),
        ("EU citizen", "an EU citizen"),
        ("European citizen", "a European citizen"),
        ("NBA player", "an NBA player"),
        ("NASA engineer", "a NASA engineer"),
        ("MI5 agent", "an MI5 agent"),
        ("M.P.", "an M.P."),
        ("U.S. citizen", "a U.S. citizen"),
        ("X-ray", "an X-ray"),
        ("f-word", "an f-word"),
        ("U-turn", "a U-turn"),
        ("uni student", "a uni student"),
        ("uninvited guest", "an uninvited guest"),
        ("Ute", "a Ute"),
        ("1800s novel", "an 1800s novel"),
        ("180s novel", "a 180s novel"),
    ],
)
def test_english_a_becomes_an_by_sound(word, expected):
    assert filled("en", "he is a _.", word) == f"He is {expected}."
    assert filled("en", "he is an _.", word) == f"He is {expected}."


@pytest.mark.parametrize(
    ("language", "template", "word", "expected"),
    [
        ("en", 'he is a "_"', "immigrant", 'He is an "immigrant"'),
        ("en", "he is a “_”", "baker", "He is a “baker”"),
        ("en", "he is a (_)", "immigrant", "He is an (immigrant)"),
        ("en", 'the letter "a" _', "appears", 'The letter "a" appears'),
        ("fr", "le « _ »", "ami", "L'« ami »"),
        ("fr", 'ce "_"', "homme", 'Cet "homme"'),
        ("fr", 'parler à "_"', "le voisin", 'Parler à "le voisin"'),
        ("it", 'il "_"', "studente", 'Lo "studente"'),
        ("es", 'padres y "_"', "hijos", 'Padres e "hijos"'),
        ("ar", 'و "_"', "جار", 'و"جار"'),
    ],
)
def test_a_quotation_mark_does_not_come_between_two_words(language, template, word, expected):
    assert filled(language, template, word) == expected


@pytest.mark.parametrize(
    ("language", "template", "word", "expected"),
    [
        ("fr", "suis-je _ ?", "immigré", "Suis-je immigré ?"),
        ("fr", "dis-le _ !", "encore", "Dis-le encore !"),
        ("fr", "est-ce _ ?", "Alice", "Est-ce Alice ?"),
        ("fr", "jusqu'à _", "le matin", "Jusqu'au matin"),
        ("pt", "vi-a {o|a} _", "dia", "Vi-a o dia"),
        ("en", "vitamin-a _", "overdose", "Vitamin-a overdose"),
    ],
)
def test_a_word_that_hangs_on_another_is_left_alone(language, template, word, expected):
    assert filled(language, template, word, inherent="Gender=Masc") == expected


@pytest.mark.parametrize(
    ("language", "template", "word", "expected"),
    [
        ("en", "WHAT A _!", "IDIOT", "WHAT AN IDIOT!"),
        ("en", "A _ came.", "MP", "An MP came."),
        ("fr", "JE PARLE À {LE|LA} _", "VOISIN", "JE PARLE AU VOISIN"),
        ("it", "PARLO A {IL|LA} _", "AMICO", "PARLO ALL'AMICO"),
        ("pt", "GOSTO DE {O|A} _", "VIZINHO", "GOSTO DO VIZINHO"),
        ("es", "VENGO DE {EL|LA} _", "MERCADO", "VENGO DEL MERCADO"),
    ],
)
def test_a_shouted_sentence_stays_shouted(language, template, word, expected):
    assert filled(language, template, word, inherent="Gender=Masc") == expected


def test_english_a_counts_only_as_a_word_of_its_own_and_at_the_seam():
    assert filled("en", "pizza _", "olive") == "Pizza olive"
    assert filled("en", "a old _", "friend") == "A old friend"
    assert filled("en", "vitamin-a_", "acid") == "Vitamin-aacid"


def test_english_keeps_the_capital_of_the_article():
    assert filled("en", "A _ came.", "uncle") == "An uncle came."


def test_an_expert_settles_the_english_article_of_a_word():
    assert filled("en", "a _", "herb", article="an") == "An herb"
    assert filled("en", "a _", "herb") == "A herb"


def test_a_disguised_spelling_sounds_like_the_word_behind_it():
    assert filled("en", "a _", "1mmigrant", lemma="immigrant", perturbation="leet") == "An 1mmigrant"
    assert filled("en", "a _", "us3r", lemma="user", perturbation="leet") == "A us3r"
    assert filled("en", "a _", "mmigrant", lemma="immigrant", perturbation="char_del") == "A mmigrant"


@pytest.mark.parametrize(
    ("template", "word", "expected"),
    [
        ("le _", "ami", "L'ami"),
        ("le _", "voisin", "Le voisin"),
        ("la _", "école", "L'école"),
        ("vie de _", "étudiant", "Vie d'étudiant"),
        ("vie de _", "homme", "Vie d'homme"),
        ("vie de _", "héros", "Vie de héros"),
        ("vie de _", "héroïne", "Vie d'héroïne"),
        ("vie de _", "handicapé", "Vie de handicapé"),
        ("vie de _", "Hollandais", "Vie de Hollandais"),
        ("vie de _", "haltérophile", "Vie d'haltérophile"),
        ("vie de _", "habitant", "Vie d'habitant"),
        ("coup de _", "hachette", "Coup de hachette"),
        ("coup de _", "hallebarde", "Coup de hallebarde"),
        ("vie de _", "halluciné", "Vie d'halluciné"),
        ("vie de _", "huit mois", "Vie de huit mois"),
        ("plat de _", "huîtres", "Plat d'huîtres"),
        ("vie de _", "Haïtien", "Vie d'Haïtien"),
        ("vie de _", "yéti", "Vie de yéti"),
        ("vie de _", "ouistiti", "Vie de ouistiti"),
        ("ce _", "ami", "Cet ami"),
        ("ce _", "héros", "Ce héros"),
        ("plus que _", "Alice", "Plus qu'Alice"),
        ("quelque _", "ami", "Quelque ami"),
        ("le chien du _", "oncle", "Le chien de l'oncle"),
        ("le chien du _", "voisin", "Le chien du voisin"),
        ("parler au _", "oncle", "Parler à l'oncle"),
        ("sa _", "amie", "Son amie"),
        ("sa _", "hache", "Sa hache"),
        ("un beau _", "enfant", "Un bel enfant"),
        ("un nouveau _", "hangar", "Un nouveau hangar"),
        ("un vieux _", "ami", "Un vieil ami"),
        ("vie de _", "Hittite", "Vie de Hittite"),
        ("vie de _", "hippy", "Vie de hippy"),
        ("vie de _", "hippopotame", "Vie d'hippopotame"),
        ("fan de _", "hip-hop", "Fan de hip-hop"),
        ("vie de _", "homéopathe", "Vie d'homéopathe"),
        ("quoique _ parte", "elle", "Quoiqu'elle parte"),
        ("quoique _ parte", "Alice", "Quoique Alice parte"),
        ("d'un _", "ami", "D'un ami"),
        ("les _", "amis", "Les amis"),
    ],
)
def test_french_elides_before_a_vowel_and_a_mute_h(template, word, expected):
    assert filled("fr", template, word) == expected


def test_french_vieux_is_the_plural_as_well():
    assert filled("fr", "ces vieux _", "amis", inherent="Number=Plur") == "Ces vieux amis"
    assert filled("fr", "ce vieux _", "ami", inherent="Number=Sing") == "Ce vieil ami"
    assert filled("fr", "vie de _", "amis", inherent="Number=Plur") == "Vie d'amis"


def test_french_words_run_together_are_left_alone():
    assert filled("fr", "tuerce _", "ami") == "Tuerce ami"
    assert filled("fr", "ordures de_", "ami") == "Ordures deami"


def test_french_elision_is_a_property_of_the_word_that_an_expert_sets():
    assert filled("fr", "vie de _", "handicapé", elides="yes") == "Vie d'handicapé"
    assert filled("fr", "le _", "ouï-dire") == "L'ouï-dire"
    assert filled("fr", "le _", "hyène", elides="no") == "Le hyène"


def test_french_disguises_keep_the_aspirated_h_of_the_word_behind_them():
    assert filled("fr", "de _", "h4ndicapé", lemma="handicapé", perturbation="leet") == "De h4ndicapé"
    assert filled("fr", "de _", "h0mme", lemma="homme", perturbation="leet") == "D'h0mme"
    assert filled("fr", "de _", "andicapé", lemma="handicapé", perturbation="char_del") == "D'andicapé"


def test_french_prepositions_melt_with_the_article_that_a_choice_brings():
    assert filled("fr", "le chien de {le|la} _", "voisin", inherent="Gender=Masc") == "Le chien du voisin"
    assert filled("fr", "le chien de {le|la} _", "voisine", inherent="Gender=Fem") == "Le chien de la voisine"
    assert filled("fr", "le chien de {le|la} _", "ami", inherent="Gender=Masc") == "Le chien de l'ami"
    assert filled("fr", "parler à {les|les} _", "amis", inherent="Gender=Masc") == "Parler aux amis"


def test_french_ce_before_a_chosen_verb_is_not_cet():
    assert filled("fr", "ce {est|est} un _", "ami", inherent="Gender=Masc") == "Ce est un ami"


def test_french_rules_act_at_the_seam_only():
    assert filled("fr", "le ami et le _", "oncle") == "Le ami et l'oncle"


@pytest.mark.parametrize(
    ("template", "word", "expected"),
    [
        ("il _", "amico", "L'amico"),
        ("il _", "nonno", "Il nonno"),
        ("il _", "studente", "Lo studente"),
        ("il _", "zio", "Lo zio"),
        ("il _", "gnomo", "Lo gnomo"),
        ("il _", "psicologo", "Lo psicologo"),
        ("il _", "sindaco", "Il sindaco"),
        ("il _", "iugoslavo", "Lo iugoslavo"),
        ("il _", "uomo", "L'uomo"),
        ("il _", "hotel", "L'hotel"),
        ("i _", "amici", "Gli amici"),
        ("i _", "studenti", "Gli studenti"),
        ("i _", "nonni", "I nonni"),
        ("un _", "amico", "Un amico"),
        ("un _", "studente", "Uno studente"),
        ("una _", "amica", "Un'amica"),
        ("una _", "studentessa", "Una studentessa"),
        ("la _", "amica", "L'amica"),
        ("le _", "amiche", "Le amiche"),
        ("la vita dei _", "amici", "La vita degli amici"),
        ("la vita dei _", "nonni", "La vita dei nonni"),
        ("parlo al _", "zio", "Parlo allo zio"),
        ("quel _", "uomo", "Quell'uomo"),
        ("quei _", "uomini", "Quegli uomini"),
        ("un bel _", "orto", "Un bell'orto"),
        ("nessun _", "amico", "Nessun amico"),
        ("nessun _", "studente", "Nessuno studente"),
        ("questi _", "amici", "Questi amici"),
        ("voi _", "amici", "Voi amici"),
        ("lo _", "nonno", "Il nonno"),
        ("gli _", "nonni", "I nonni"),
        ("la vita degli _", "nonni", "La vita dei nonni"),
        ("uno _", "nero", "Uno nero"),
        ("il _", "shock", "Lo shock"),
        ("il _", "chef", "Lo chef"),
        ("il _", "chierico", "Il chierico"),
        ("il _", "tsunami", "Lo tsunami"),
        ("il _", "jihadista", "Il jihadista"),
        ("col _", "amico", "Con l'amico"),
        ("col _", "zio", "Con lo zio"),
        ("col _", "nonno", "Col nonno"),
        ("gli 80enni e il _", "80enne", "Gli 80enni e l'80enne"),
        ("i _", "18enni", "I 18enni"),
        ("la vita di la _", "amica", "La vita dell'amica"),
    ],
)
def test_italian_articles_follow_the_sound_of_the_word(template, word, expected):
    assert filled("it", template, word) == expected


def test_italian_prepositions_melt_with_the_article_that_a_choice_brings():
    assert filled("it", "vita di {il|la} _", "nonno", inherent="Gender=Masc") == "Vita del nonno"
    assert filled("it", "vita di {il|la} _", "zio", inherent="Gender=Masc") == "Vita dello zio"
    assert filled("it", "vita di {il|la} _", "amica", inherent="Gender=Fem") == "Vita dell'amica"
    assert filled("it", "parlo con {il|la} _", "nonno", inherent="Gender=Masc") == "Parlo con il nonno"


def test_an_expert_settles_the_italian_article_of_a_word():
    assert filled("it", "il _", "whisky") == "Il whisky"
    assert filled("it", "il _", "pneumatico", article="il") == "Il pneumatico"


@pytest.mark.parametrize(
    ("template", "word", "expected"),
    [
        ("madre y _", "hija", "Madre e hija"),
        ("madre y _", "iglesia", "Madre e iglesia"),
        ("agua y _", "hielo", "Agua y hielo"),
        ("padre y _", "tía", "Padre y tía"),
        ("uno o _", "otro", "Uno u otro"),
        ("mujer o _", "hombre", "Mujer u hombre"),
        ("mujer o _", "niño", "Mujer o niño"),
        ("la _", "agua", "El agua"),
        ("la _", "águila", "El águila"),
        ("una _", "alma", "Un alma"),
        ("la _", "hacha", "El hacha"),
        ("la _", "amiga", "La amiga"),
        ("la _", "abuela", "La abuela"),
        ("la _", "hamaca", "La hamaca"),
        ("la _", "árabe", "La árabe"),
        ("la _", "casa", "La casa"),
        ("las _", "aguas", "Las aguas"),
        ("la _", "ansia", "El ansia"),
        ("la _", "hábil amiga", "La hábil amiga"),
        ("sed de la _", "agua", "Sed del agua"),
        ("sed de la _", "amiga", "Sed de la amiga"),
        ("¿_ aquí?", "mujeres", "¿Mujeres aquí?"),
        ("¡Ay, ¿_?", "mujeres", "¡Ay, ¿mujeres?"),
    ],
)
def test_spanish_words_give_way_to_a_like_sound(template, word, expected):
    assert filled("es", template, word) == expected


def test_spanish_a_and_de_melt_with_el_but_not_with_a_name():
    assert filled("es", "voy a {el|la} _", "mercado", inherent="Gender=Masc") == "Voy al mercado"
    assert filled("es", "vengo de {el|la} _", "plaza", inherent="Gender=Fem") == "Vengo de la plaza"
    assert filled("es", "vengo de _", "el mercado") == "Vengo del mercado"
    assert filled("es", "vengo de _", "El Salvador") == "Vengo de El Salvador"


def test_an_expert_settles_the_spanish_stress():
    assert filled("es", "la _", "acta", stressed_a="no") == "La acta"
    assert filled("es", "la _", "aguilucha", stressed_a="yes") == "El aguilucha"


@pytest.mark.parametrize(
    ("template", "gender", "expected"),
    [
        ("casa de {o|a} _", "Masc", "Casa do vizinho"),
        ("casa de {o|a} _", "Fem", "Casa da vizinho"),
        ("mora em {o|a} _", "Masc", "Mora no vizinho"),
        ("fala a {o|a} _", "Masc", "Fala ao vizinho"),
        ("fala a {o|a} _", "Fem", "Fala à vizinho"),
        ("feito por {o|a} _", "Masc", "Feito pelo vizinho"),
        ("casa de {aquele|aquela} _", "Masc", "Casa daquele vizinho"),
        ("fala a {aquele|aquela} _", "Fem", "Fala àquela vizinho"),
        ("fala com {o|a} _", "Masc", "Fala com o vizinho"),
    ],
)
def test_portuguese_prepositions_melt_with_the_article(template, gender, expected):
    assert filled("pt", template, "vizinho", inherent=f"Gender={gender}") == expected


def test_portuguese_prepositions_melt_with_neuter_demonstratives():
    assert filled("pt", "gosto de _", "isso") == "Gosto disso"
    assert filled("pt", "penso em _", "aquilo") == "Penso naquilo"


def test_portuguese_prepositions_stay_before_a_bare_noun():
    assert filled("pt", "casa de _", "vizinhos") == "Casa de vizinhos"
    assert filled("pt", "casa de _", "amigos") == "Casa de amigos"


def test_arabic_one_letter_words_are_written_together_with_the_next():
    assert filled("ar", "هذا ل _", "جار") == "هذا لجار"
    assert filled("ar", "و _", "جار") == "وجار"
    assert filled("ar", "ال_", "جار") == "الجار"
    assert filled("ar", "مع _", "جار") == "مع جار"


def test_arabic_li_and_the_article_lose_the_alif():
    assert filled("ar", "هذا ل_", "الجار") == "هذا للجار"
    assert filled("ar", "هذا ل _", "الجار") == "هذا للجار"
    assert filled("ar", "ب_", "الجار") == "بالجار"
    assert filled("ar", "مال_", "جار") == "مالجار"


def test_arabic_never_writes_three_lams_in_a_row():
    assert filled("ar", "هذا ل_", "اللاجئين") == "هذا للاجئين"
    assert filled("ar", "هذا لل_", "لاجئين") == "هذا للاجئين"
    assert filled("ar", "هذا لل_", "جيران") == "هذا للجيران"
    assert filled("ar", "ول _", "الجار") == "وللجار"


def test_chinese_has_no_blanks_between_characters():
    assert filled("zh", "我喜欢 _ 。", "邻居") == "我喜欢邻居。"
    assert filled("zh", "我喜欢_很久", "邻居") == "我喜欢邻居很久"
    assert filled("zh", "他说“ _ ”", "邻居") == "他说“邻居”"


def test_chinese_words_keep_the_blanks_they_were_typed_with_whatever_the_template():
    assert filled("zh", "我喜欢_。", " 邻居") == "我喜欢 邻居。"
    assert filled("zh", "我{喜欢|喜欢}_。", " 邻居", inherent="Gender=Masc", settings={"genders": ["Masc", "Fem"]}) == (
        "我喜欢 邻居。"
    )


def test_chinese_keeps_the_blanks_around_latin_letters():
    assert filled("zh", "我喜欢 _ 。", "DJ") == "我喜欢 DJ 。"
    assert filled("zh", "like _ 吗", "邻居") == "like 邻居吗"


@pytest.mark.parametrize(
    ("language", "expected"), [("pl", "Sąsiad"), ("nl", "Sąsiad"), ("de", "sąsiad"), ("hi", "sąsiad")]
)
def test_a_capital_starts_the_text_where_the_language_has_it_so(language, expected):
    assert filled(language, "_", "sąsiad") == expected


def test_a_suite_may_set_capitals_otherwise():
    assert filled("fr", "_ est là", "ami", settings={"capitalise": "no"}) == "ami est là"
    assert filled("de", "_ sind da", "alle", settings={"capitalise": "start"}) == "Alle sind da"
    assert filled("en", "Hm. _ came. We saw _.".replace(" We saw _.", ""), "bakers") == "Hm. bakers came."
    assert filled("en", "Hm. _ came.", "bakers", settings={"capitalise": "sentences"}) == "Hm. Bakers came."
    assert filled("en", "Hm, _ came.", "bakers", settings={"capitalise": "sentences"}) == "Hm, bakers came."


def test_the_dutch_ij_is_one_letter():
    assert filled("nl", "_ smelt", "ijs") == "IJs smelt"
    assert filled("nl", "_ smelt", "ik") == "Ik smelt"


def test_a_clipped_dutch_article_leaves_the_capital_to_the_next_word():
    assert filled("nl", "'t _ smelt", "ijs") == "'t IJs smelt"
    assert filled("nl", "'s _ is het koud", "avonds") == "'s Avonds is het koud"


def test_a_text_that_begins_with_another_sign_keeps_its_small_letter():
    assert filled("en", '"_" he said', "bakers") == '"bakers" he said'


def test_a_suite_may_switch_the_articles_off():
    assert filled("fr", "le _", "ami", settings={"articles": False}) == "Le ami"


def test_capital_words_give_capital_replacements():
    assert filled("fr", "LES GENS DE _", "AMI") == "LES GENS D'AMI"


def test_an_unknown_setting_is_refused_with_the_known_ones():
    with pytest.raises(
        ValueError, match="no setting is called 'colour'; known: articles, capitalise, genders, tidy_spaces"
    ):
        load_orthography("fr", colour="red")
    with pytest.raises(ValueError, match="capitalise cannot be 'maybe'"):
        load_orthography("fr", capitalise="maybe")


def test_a_language_without_table_has_no_rules_but_the_capital():
    assert filled("sw", "a _", "amani") == "A amani"
    assert load_orthography("../fr").before == {}


def test_a_regional_code_takes_the_table_of_its_language():
    assert load_orthography("pt-BR") == load_orthography("pt")
    assert load_orthography("es_AR") == load_orthography("es")


@pytest.mark.parametrize(
    ("language", "template", "word", "expected"),
    [
        ("fr", "Je parle de le _.", "voisin", "Je parle du voisin."),
        ("fr", "Je parle de le _.", "héros", "Je parle du héros."),
        ("fr", "Je parle de le _.", "homme", "Je parle de l'homme."),
        ("fr", "De les _ !", "amis", "Des amis !"),
        ("fr", "Je parle de la _.", "voisine", "Je parle de la voisine."),
        ("fr", "Donne-le à le _.", "voisin", "Donne-le au voisin."),
        ("fr", "Je parle de « le _ ».", "voisin", "Je parle de « le voisin »."),
        ("it", "Parlo di il _.", "vicino", "Parlo del vicino."),
        ("it", "Parlo di i _.", "vicini", "Parlo dei vicini."),
        ("it", "Parlo di gli _.", "vicini", "Parlo dei vicini."),
        ("it", "Parlo di i _.", "studenti", "Parlo degli studenti."),
        ("es", "Hablo de el _.", "vecino", "Hablo del vecino."),
        ("es", "A EL _", "VECINO", "AL VECINO"),
        ("es", "Vengo de El _.", "Salvador", "Vengo de El Salvador."),
        ("es", "Hablo de él _.", "vecino", "Hablo de él vecino."),
        ("pt", "Falo de os _.", "vizinhos", "Falo dos vizinhos."),
        ("pt", "Em a _.", "vizinha", "Na vizinha."),
    ],
)
def test_a_preposition_melts_with_the_article_before_the_word(language, template, word, expected):
    assert filled(language, template, word) == expected
    # With an empty choice in it the template goes the long way, through the whole grammar.
    assert filled(language, template.replace("_", "_{Gender=Fem:|}"), word) == expected


def test_a_preposition_and_an_article_elsewhere_stay_as_typed():
    assert filled("es", "De el vecino dice _.", "Ana") == "De el vecino dice Ana."
    assert filled("fr", "De le dire, _ !", "ami", settings={"articles": False}) == "De le dire, ami !"


@pytest.mark.parametrize(
    ("template", "word", "expected"),
    [
        ("s _.", "ženou", "Se ženou."),
        ("Mluvím s _.", "Židem", "Mluvím se Židem."),
        ("Mluvím s _.", "mužem", "Mluvím s mužem."),
        ("Mluvím s _.", "psem", "Mluvím se psem."),
        ("Jdu k _.", "kamarádovi", "Jdu ke kamarádovi."),
        ("Jdu k _.", "ženě", "Jdu k ženě."),
        ("Jdu k _.", "studentovi", "Jdu ke studentovi."),
        ("Byl v _.", "vodě", "Byl ve vodě."),
        ("Byl v _.", "škole", "Byl ve škole."),
        ("Byl v _.", "autě", "Byl v autě."),
        ("Vyšel z _.", "školy", "Vyšel ze školy."),
        ("Vyšel z _.", "domu", "Vyšel z domu."),
        ("bez _.", "ženy", "Bez ženy."),
    ],
)
def test_czech_prepositions_take_a_vowel_before_a_like_consonant(template, word, expected):
    assert filled("cs", template, word) == expected


def test_an_expert_settles_the_czech_vowel_of_a_word():
    assert filled("cs", "Jde s _.", "třídou", vocalises="yes") == "Jde se třídou."
    assert filled("cs", "Jde s _.", "ženou", vocalises="no") == "Jde s ženou."


@pytest.mark.parametrize(
    ("language", "word", "expected"),
    [
        ("tr", "işitme engelliler", "İşitme engelliler burada."),
        ("tr", "ırgat", "Irgat burada."),
        ("az", "insanlar", "İnsanlar burada."),
        ("en", "iren", "Iren burada."),
        ("ka", "ქართველი", "ქართველი burada."),
        ("el", "άνθρωποι", "Άνθρωποι burada."),
    ],
)
def test_the_capital_at_the_start_is_that_of_the_language(language, word, expected):
    assert filled(language, "_ burada.", word) == expected


@pytest.mark.parametrize(
    ("template", "word", "expected"),
    [
        ("ل ال_", "نساء", "للنساء"),
        ("ل ال _", "نساء", "للنساء"),
        ("ول ال _", "جار", "وللجار"),
        ("ل _", "النساء", "للنساء"),
        ("قال ال _", "جار", "قال الجار"),
        ("مع ال _", "نساء", "مع النساء"),
    ],
)
def test_arabic_li_melts_with_the_article(template, word, expected):
    assert filled("ar", template, word) == expected
