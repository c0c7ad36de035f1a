"""Sentences, clauses and quotations of a short message, in any of the languages, without downloaded models."""

import regex


def _words(text: str) -> frozenset[str]:
    return frozenset(text.split())


ABBREVIATIONS = (
    _words("mr mrs ms dr prof st sr sra jr vs etc e.g i.e u.s a.m p.m")
    | _words("z.b d.h bzw usw ca evtl ggf nr u.a bijv dhr mevr enz")
    | _words("mme mlle sig sig.ra dott ecc itd tzw hab ul p.ej ud uds av")
)
_END = regex.compile(r"(?<=[.!?…؟۔।](?:[\"'”’»)\]]*))\s+|(?<=[。！？](?:[”’」』）]*))")
_LAST_WORD = regex.compile(r"([\p{L}.]+)\.$")
_CLAUSE_BREAK = regex.compile(r"[,;:،؛，；、—–]")
_COMMA = regex.compile(r"[,،，、]")


def split_sentences(text: str) -> list[str]:
    """Return the sentences of a text in order; abbreviations ("Dr.", "z.B.") and single initials end none."""
    sentences: list[str] = []
    for piece in _END.split(text.strip()):
        if not piece:
            continue
        if sentences and _ends_in_abbreviation(sentences[-1]):
            sentences[-1] = f"{sentences[-1]} {piece}"
        else:
            sentences.append(piece)
    return sentences


def _ends_in_abbreviation(sentence: str) -> bool:
    match = _LAST_WORD.search(sentence)
    if not match:
        return False
    word = match.group(1)
    # "I." ends a sentence more often than it is an initial.
    return word.lower() in ABBREVIATIONS or (len(word) == 1 and word.isupper() and word != "I")


def after_first_comma(text: str) -> str | None:
    """Return what follows the first comma, as GPT-HateCheck reads "the subsequent clause"; None without one."""
    match = _COMMA.search(text)
    rest = text[match.end() :].strip() if match else ""
    return rest or None


def after_first_clause(text: str) -> str | None:
    """Return what follows the first break between clauses: comma, semicolon, colon or dash; None without one."""
    match = _CLAUSE_BREAK.search(text)
    rest = text[match.end() :].strip() if match else ""
    return rest or None


def after_first_sentence(text: str) -> str | None:
    """Return all sentences but the first; None when there is only one."""
    rest = " ".join(split_sentences(text)[1:])
    return rest or None
