"""What stands between the brackets of a placeholder, and between the bars of a choice."""

import re

from core.text import _
from curation.morphology.features import FeatureError, Features, parse_features
from curation.morphology.placeholders.errors import TemplateError, shortened
from curation.morphology.placeholders.nodes import Option
from curation.morphology.placeholders.tokenizing import Token, TokenKind

MARKED = re.compile(r"\s*((?:[A-Z][A-Za-z0-9]*=[A-Za-z0-9]+)(?:\s*,\s*[A-Z][A-Za-z0-9]*=[A-Za-z0-9]+)*)\s*:")


class PlaceholderReader:
    """Reads the tokens between the brackets of one placeholder."""

    def __init__(self, tokens: list[Token], opening: Token, typed: str) -> None:
        self.tokens = tokens
        self.opening = opening
        self.end = opening.start + len(typed)
        self.place = 0

    def skip(self, kind: TokenKind) -> bool:
        if self.place < len(self.tokens) and self.tokens[self.place].kind is kind:
            self.place += 1
            return True
        return False

    def take(self, kind: TokenKind, what: str) -> Token:
        if self.place < len(self.tokens) and self.tokens[self.place].kind is kind:
            self.place += 1
            return self.tokens[self.place - 1]
        found = self.tokens[self.place] if self.place < len(self.tokens) else None
        position = found.start + 1 if found else self.end
        if found is None:
            raise TemplateError(position, _("%(what)s is missing", what=what))
        problem = _("%(what)s is missing before '%(text)s'", what=what, text=shortened(found.text))
        raise TemplateError(position, problem)

    def features(self) -> Features:
        names: list[str] = []
        while True:
            name = self.take(TokenKind.NAME, _("a feature such as Number=Plur"))
            if not self.skip(TokenKind.EQUALS):
                feature = shortened(name.text)
                raise TemplateError(
                    name.start + 1,
                    _("'%(feature)s' has no value", feature=feature),
                    fix=_("write %(example)s", example=f"{feature}=Value"),
                )
            value = self.take(TokenKind.NAME, _("the value of %(feature)s", feature=shortened(name.text)))
            names.append(f"{name.text}={value.text}")
            try:
                features = parse_features("|".join(names))
            except FeatureError as error:
                raise TemplateError(name.start + 1, error.problem) from error
            if not self.skip(TokenKind.COMMA):
                return features

    def finish(self) -> None:
        if self.place < len(self.tokens):
            token = self.tokens[self.place]
            raise TemplateError(
                token.start + 1,
                _("'%(text)s' is not expected here", text=shortened(token.text)),
                fix=_("the order is [kind#label:Feature=Value,Feature=Value|perturbation]"),
            )


def read_option(tokens: list[Token]) -> Option:
    """Return one option of a choice, with its features if it begins with any."""
    features: Features | None = None
    texts = [token.text[1:] if token.kind is TokenKind.ESCAPE else token.text for token in tokens]
    if tokens and tokens[0].kind is TokenKind.TEXT and (match := MARKED.match(texts[0])):
        try:
            features = parse_features(match[1])
        except FeatureError as error:
            raise TemplateError(tokens[0].start + 1, error.problem) from error
        texts[0] = texts[0][match.end() :]
    return Option("".join(texts), features)


def check_options(options: tuple[Option, ...], opening: Token) -> None:
    """Refuse options that cannot be told apart."""
    marked = [option.features for option in options if option.features is not None]
    if marked and any(option.features is None for option in options[:-1]):
        raise TemplateError(
            opening.start + 1,
            _("only the last option may come without features if other options have them"),
            fix=_("write Feature=Value: before each option"),
        )
    if len(set(marked)) < len(marked):
        problem = _("two options have the same features")
        raise TemplateError(opening.start + 1, problem, fix=_("keep one of them"))
