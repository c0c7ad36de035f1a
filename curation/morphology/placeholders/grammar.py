"""The grammar of templates: tokens in, a `Template` out, or an error that says where and what.

template    = { text | placeholder | choice }
placeholder = "[" token-of-a-published-suite "]"
            | "[" kind [ "#" label ] [ ":" feature { "," feature } ] [ "|" perturbation ] "]"
choice      = "{" [ "#" label { "+#" label } ":" ] option "|" option { "|" option } "}"
option      = [ feature { "," feature } ":" ] text
feature     = Name "=" Value
escapes     : a backslash before one of \\ [ ] { }, inside a choice also before | : #
"""

import re

from core.text import _
from curation.morphology.aliases import known_tokens, resolve_alias
from curation.morphology.features import NONE
from curation.morphology.placeholders.errors import LONGEST_NAME, TemplateError, closest, shortened
from curation.morphology.placeholders.inside import PlaceholderReader, check_options, read_option
from curation.morphology.placeholders.nodes import Choice, Part, Placeholder, Template, Text
from curation.morphology.placeholders.tokenizing import Token, TokenKind, tokenize

FOLLOWS = re.compile(r"#(\w+(?:\+#?\w+)*):")
BRACKETS = frozenset({TokenKind.OPEN, TokenKind.CLOSE, TokenKind.OPEN_CHOICE, TokenKind.CLOSE_CHOICE})
LABEL = re.compile(r"\w+")


class Parser:
    """Reads one template."""

    def __init__(self, text: str, kinds: frozenset[str], perturbations: frozenset[str] | None) -> None:
        self.text = text
        self.kinds = kinds
        self.perturbations = perturbations
        self.tokens = list(tokenize(text))
        self.place = 0

    def template(self) -> Template:
        parts: list[Part] = []
        while self.place < len(self.tokens):
            token = self.tokens[self.place]
            if token.kind in (TokenKind.TEXT, TokenKind.ESCAPE):
                parts.append(self._text(token))
            elif token.kind is TokenKind.OPEN:
                parts.append(self._placeholder(token))
            elif token.kind is TokenKind.OPEN_CHOICE:
                parts.append(self._choice(token))
            else:
                raise TemplateError(
                    token.start + 1,
                    _("'%(sign)s' closes nothing", sign=token.text),
                    fix=_("write %(escaped)s for the character itself", escaped=f"\\{token.text}"),
                )
        self._check_labels(parts)
        return Template(tuple(parts))

    def _text(self, first: Token) -> Text:
        pieces: list[str] = []
        while self.place < len(self.tokens) and self.tokens[self.place].kind in (TokenKind.TEXT, TokenKind.ESCAPE):
            token = self.tokens[self.place]
            pieces.append(token.text[1:] if token.kind is TokenKind.ESCAPE else token.text)
            self.place += 1
        end = self.tokens[self.place].start if self.place < len(self.tokens) else len(self.text)
        return Text("".join(pieces), self.text[first.start : end], first.start + 1)

    def _group(self, opening: Token, closing: TokenKind) -> tuple[list[Token], str]:
        """Return the tokens between a bracket and its partner, and the whole as typed."""
        first = place = self.place + 1
        while place < len(self.tokens):
            token = self.tokens[place]
            if token.kind is closing:
                self.place = place + 1
                return self.tokens[first:place], self.text[opening.start : token.start + 1]
            if token.kind in BRACKETS:
                raise self._unbalanced(opening, token, closing)
            place += 1
        raise TemplateError(
            opening.start + 1,
            _("'%(sign)s' is never closed", sign=opening.text),
            fix=_(
                "add '%(closing)s', or write %(escaped)s for the character itself",
                closing=closing.value,
                escaped=f"\\{opening.text}",
            ),
        )

    def _unbalanced(self, opening: Token, found: Token, closing: TokenKind) -> TemplateError:
        inside = self.text[opening.start + 1 : found.start][: LONGEST_NAME + 1]
        fix = _("close it with '%(closing)s' first", closing=closing.value)
        if found.kind is TokenKind.CLOSE:
            is_word = resolve_alias(inside) or inside in self.kinds
            fix = _("write %(example)s", example=f"[{inside}]") if is_word else _("use '{' with '}'")
        elif found.kind is TokenKind.CLOSE_CHOICE:
            fix = _("write %(example)s", example=f"[{shortened(inside)}]")
        problem = _("'%(sign)s' meets '%(other)s' before it is closed", sign=opening.text, other=found.text)
        return TemplateError(opening.start + 1, problem, fix=fix)

    def _placeholder(self, opening: Token) -> Placeholder:
        tokens, typed = self._group(opening, TokenKind.CLOSE)
        reader = PlaceholderReader([token for token in tokens if token.kind is not TokenKind.BLANK], opening, typed)
        name = reader.take(TokenKind.NAME, _("a kind of word"))
        if name.text not in self.kinds:
            return self._alias(name, reader, typed, opening)
        label = reader.take(TokenKind.NAME, _("a label after '#'")).text if reader.skip(TokenKind.HASH) else ""
        if label and not LABEL.fullmatch(label):
            raise TemplateError(
                opening.start + 1,
                _("'%(label)s' is not a label", label=shortened(label)),
                fix=_("use letters and digits, e.g. #1"),
            )
        features = reader.features() if reader.skip(TokenKind.COLON) else NONE
        perturbation = self._perturbation(reader) if reader.skip(TokenKind.PIPE) else ""
        reader.finish()
        return Placeholder(name.text, features, perturbation, label, "", typed, opening.start + 1)

    def _perturbation(self, reader: PlaceholderReader) -> str:
        token = reader.take(TokenKind.NAME, _("a perturbation after '|'"))
        if self.perturbations is not None and token.text not in self.perturbations:
            known = sorted(self.perturbations)
            near = closest(token.text, tuple(known))
            fix = _("did you mean %(name)s?", name=near) if near else ""
            problem = _("no perturbation is called '%(name)s'", name=shortened(token.text))
            raise TemplateError(token.start + 1, problem, known=known, fix=fix)
        return token.text

    def _alias(self, name: Token, reader: PlaceholderReader, typed: str, opening: Token) -> Placeholder:
        alias = resolve_alias(name.text) if len(name.text) <= LONGEST_NAME else None
        if alias is not None and alias.kind in self.kinds:
            reader.finish()
            return Placeholder(alias.kind, alias.features, alias.perturbation, "", name.text, typed, opening.start + 1)
        near = closest(name.text, (*sorted(self.kinds), *known_tokens(kinds=self.kinds)))
        raise TemplateError(
            opening.start + 1,
            _("no placeholder is called '%(name)s'", name=shortened(name.text)),
            known=sorted(self.kinds),
            fix=_("did you mean %(name)s?", name=f"[{near}]") if near else "",
        )

    def _choice(self, opening: Token) -> Choice:
        tokens, typed = self._group(opening, TokenKind.CLOSE_CHOICE)
        groups: list[list[Token]] = [[]]
        for token in tokens:
            if token.kind is TokenKind.PIPE:
                groups.append([])
            else:
                groups[-1].append(token)
        if len(groups) < 2:
            inside = typed[1:-1][: LONGEST_NAME + 1]
            fix = (
                _("write %(placeholder)s for a placeholder", placeholder=f"[{inside}]")
                if resolve_alias(inside) or inside in self.kinds
                else _("separate at least two options with '|', e.g. {tous|toutes}")
            )
            problem = _("'%(choice)s' offers no choice", choice=shortened(typed))
            raise TemplateError(opening.start + 1, problem, fix=fix)
        follows = ""
        if groups[0] and groups[0][0].kind is TokenKind.TEXT and (match := FOLLOWS.match(groups[0][0].text)):
            follows = match[1].replace("#", "")
            first = groups[0][0]
            groups[0][0] = Token(TokenKind.TEXT, first.text[match.end() :], first.start + match.end())
        options = tuple(read_option(group) for group in groups)
        check_options(options, opening)
        return Choice(options, follows, typed, opening.start + 1)

    def _check_labels(self, parts: list[Part]) -> None:
        kinds: dict[str, Placeholder] = {}
        for part in parts:
            if isinstance(part, Placeholder) and part.label:
                first = kinds.setdefault(part.label, part)
                if first.kind != part.kind:
                    raise TemplateError(
                        part.position,
                        _(
                            "#%(label)s is %(kind)s here and %(other)s at character %(position)s",
                            label=part.label,
                            kind=part.kind,
                            other=first.kind,
                            position=first.position,
                        ),
                        fix=_("use one label per word"),
                    )
        for part in parts:
            if isinstance(part, Choice):
                if missing := [label for label in part.labels if label not in kinds]:
                    raise TemplateError(
                        part.position,
                        _("no placeholder is labelled #%(label)s", label=missing[0]),
                        known=[f"#{label}" for label in kinds],
                        fix=_("write the label in the placeholder, e.g. [identity#1]"),
                    )
                if not any(isinstance(other, Placeholder) for other in parts):
                    raise TemplateError(
                        part.position,
                        _("a choice follows a placeholder, and this template has none"),
                        fix=_("write %(escaped)s for the character itself", escaped="\\{"),
                    )
