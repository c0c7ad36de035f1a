"""Words of negation by language."""


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


PUBLISHED_NEGATION_WORDS = _words("no not never neither")

NEGATION_WORDS: dict[str, frozenset[str]] = {
    "en": PUBLISHED_NEGATION_WORDS | _words("nor none nobody nothing nowhere cannot"),
    "ar": _words("لا لم لن ليس ليست ليسوا مش مو غير ولا ما أبدا ابدا محدش"),
    "de": _words("nicht kein keine keiner keinen keinem keines nie niemals niemand nichts weder noch"),
    "es": _words("no nunca jamás ningún ninguna ninguno nadie nada ni tampoco"),
    "fr": _words("ne pas non jamais aucun aucune personne rien ni nulle nul guère"),
    "hi": _words("nahi nahin nahee na mat नहीं न ना मत"),
    "it": _words("non no mai nessun nessuno nessuna niente nulla né neanche nemmeno"),
    "nl": _words("niet geen nooit niemand niets noch nergens"),
    "pl": _words("nie nigdy nikt nic żaden żadna żadne ani"),
    "pt": _words("não nunca jamais nenhum nenhuma ninguém nada nem tampouco"),
    "zh": _words("不 没 没有 别 未 无 从不 绝不 不是 不要 不会"),
}
