"""The forms of a page, and what a person might enter into them."""

from dataclasses import dataclass, field
from html.parser import HTMLParser

WAYS = ("empty", "given", "filled")
# Code-like, so that pages that repeat them say nothing of their own.
ENTRIES = {
    "number": "3", "email": "a1b2@example.org", "date": "2026-12-24", "datetime-local": "2027-12-24T10:00",
    "url": "https://a1b2.example.org/", "time": "10:00",
}  # fmt: skip
BUTTONS = ("submit", "button", "image", "reset")


@dataclass(frozen=True)
class Field:
    name: str
    kind: str
    value: str = ""
    is_on: bool = True  # ticked or chosen


@dataclass
class Form:
    action: str
    fields: list[Field] = field(default_factory=list)
    headers: dict[str, str] = field(default_factory=dict)

    @property
    def shape(self) -> str:
        """What tells forms of one route apart: their fields and what their hidden ones and buttons say."""
        return " ".join(
            sorted(
                {
                    f"{one.name}={one.value if one.kind in ('submit', 'hidden') and len(one.value) < 20 else ''}"
                    for one in self.fields
                }
            )
        )

    def filled(self, way: str) -> dict[str, list[str]]:
        """Return the values a browser would send: nothing entered, what stands there, or something everywhere."""
        values: dict[str, list[str]] = {}
        for one in self.fields:
            if one.kind in ("file", *BUTTONS[1:]):
                continue
            if one.kind in ("hidden", "submit"):
                values.setdefault(one.name, []).append(one.value)
            elif one.kind in ("checkbox", "option-multiple"):
                if way == "filled" or (way == "given" and one.is_on):
                    values.setdefault(one.name, []).append(one.value or "on")
            elif one.kind in ("radio", "option"):
                if (way == "given" and one.is_on) or (way == "filled" and one.value):
                    values[one.name] = [one.value]
            elif way == "filled":
                values[one.name] = [one.value or ENTRIES.get(one.kind, "a1b2")]
            else:
                values[one.name] = [one.value if way == "given" else ""]
        return values


class Forms(HTMLParser):
    """Collect the forms that are sent by POST, one for each of their buttons that say something of their own."""

    def __init__(self) -> None:
        super().__init__()
        self.forms: list[Form] = []
        self._open: Form | None = None
        self._buttons: list[tuple[str, Field]] = []
        self._select: tuple[str, bool] | None = None
        self._area: tuple[str, str] | None = None

    def handle_starttag(self, tag: str, attributes: list[tuple[str, str | None]]) -> None:
        known = {name: value or "" for name, value in attributes}
        if tag == "form" and known.get("method", "").lower() == "post":
            self._open, self._buttons = Form(known.get("action", "")), []
        if address := known.get("hx-post"):
            fields = self._open.fields if self._open and tag != "form" else []
            self.forms.append(Form(address, fields, {"HX-Request": "true"}))
        if not self._open or "disabled" in known:
            return
        name, kind = known.get("name", ""), known.get("type", "text" if tag == "input" else "submit")
        if tag == "button" and kind == "submit":
            self._buttons.append((known.get("formaction", ""), Field(name, "submit", known.get("value", ""))))
        elif tag == "input" and name:
            self._open.fields.append(Field(name, kind, known.get("value", ""), "checked" in known))
        elif tag == "textarea" and name:
            self._area = (name, "")
        elif tag == "select" and name:
            self._select = (name, "multiple" in known)
        elif tag == "option" and self._select:
            kind = "option-multiple" if self._select[1] else "option"
            self._open.fields.append(Field(self._select[0], kind, known.get("value", ""), "selected" in known))

    def handle_data(self, text: str) -> None:
        if self._area:
            self._area = (self._area[0], self._area[1] + text)

    def handle_endtag(self, tag: str) -> None:
        if tag == "select":
            self._select = None
        elif tag == "textarea" and self._area and self._open:
            self._open.fields.append(Field(self._area[0], "textarea", self._area[1].strip()))
            self._area = None
        elif tag == "form" and self._open:
            form, self._open = self._open, None
            speaking = [(action, one) for action, one in self._buttons if one.name or action]
            if len(speaking) < len(self._buttons) or not self._buttons:
                self.forms.append(form)
            for action, one in speaking:
                self.forms.append(Form(action or form.action, [*form.fields, *([one] if one.name else [])]))


def forms_of(html: str) -> list[Form]:
    reader = Forms()
    reader.feed(html)
    return reader.forms
