"""Examples of the published catalogue get the language they are written in.

The keys are written out, because a migration must not follow later changes of the fixture. Examples that people added
themselves stay without a language, and are then not offered in campaigns.
"""

from typing import Any

from django.db import migrations

EXAMPLES = {
    "en": (
        "derog_neg_emote_h",
        "derog_neg_attrib_h",
        "derog_dehum_h",
        "derog_impl_h",
        "threat_dir_h",
        "threat_norm_h",
        "slur_h",
        "slur_homonym_nh",
        "slur_reclaimed_nh",
        "profanity_h",
        "profanity_nh",
        "ref_subs_clause_h",
        "ref_subs_sent_h",
        "negate_pos_h",
        "negate_neg_nh",
        "phrase_question_h",
        "phrase_opinion_h",
        "ident_neutral_nh",
        "ident_pos_nh",
        "counter_quote_nh",
        "counter_ref_nh",
        "target_obj_nh",
        "target_indiv_nh",
        "target_group_nh",
        "spell_char_swap_h",
        "spell_char_del_h",
        "spell_space_del_h",
        "spell_space_add_h",
        "spell_leet_h",
    ),
    "ar": (
        "spell_char_eng_replace_h",
        "spell_char_repeat_h",
        "spell_sent_arabazi_h",
        "spell_word_variation_h",
    ),
    "zh": (
        "spell_homoph_h",
        "spell_char_comp_h",
        "spell_pinyin_h",
    ),
}


def name_languages(apps: Any, schema_editor: Any) -> None:
    Functionality = apps.get_model("curation", "Functionality")
    languages = apps.get_model("curation", "Language").objects.filter(code__in=EXAMPLES).in_bulk(field_name="code")
    for code, language in languages.items():
        unnamed = Functionality.objects.filter(key__in=EXAMPLES[code], example_language=None).exclude(example="")
        unnamed.update(example_language=language)


class Migration(migrations.Migration):
    dependencies = [("curation", "0004_example_languages")]
    operations = [migrations.RunPython(name_languages, migrations.RunPython.noop, elidable=True)]
