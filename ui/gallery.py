"""Example values for the gallery: harmless sentences, invented figures."""

from dataclasses import dataclass

from django import forms

LANGUAGES = (("en", "English"), ("de", "German"), ("ar", "Arabic"), ("hi", "Hindi"), ("zh", "Chinese"))
KINDS = (("identity", "Identity term"), ("profession", "Profession"), ("slur", "Slur"))


class GalleryForm(forms.Form):
    """One field of each kind."""

    name = forms.CharField(label="Name", help_text="Short and without spaces: it becomes part of the address.")
    language = forms.ChoiceField(label="Language", choices=LANGUAGES)
    threshold = forms.IntegerField(
        label="Threshold", required=False, min_value=1, max_value=5, help_text="How many of five annotators must agree."
    )
    kind = forms.ChoiceField(label="Kind", choices=KINDS, widget=forms.RadioSelect)
    groups = forms.MultipleChoiceField(
        label="Groups", required=False, choices=KINDS, widget=forms.CheckboxSelectMultiple, help_text="None is fine."
    )
    description = forms.CharField(label="Description", required=False, widget=forms.Textarea(attrs={"rows": 3}))
    document = forms.FileField(label="Guidelines", required=False)
    is_public = forms.BooleanField(
        label="Show this suite to visitors", required=False, help_text="Only published releases are shown."
    )


@dataclass(frozen=True)
class ExampleRow:
    key: str
    text: str
    language: str
    label: str
    state: str
    tone: str
    share: float | None


@dataclass(frozen=True)
class ExampleCell:
    share: float | None
    is_best: bool = False
    is_below_chance: bool = False


def example_rows() -> list[ExampleRow]:
    return [
        ExampleRow("en-00123", "I love my neighbours, all of them.", "en", "non-hateful", "validated", "good", 0.98),
        ExampleRow("de-00007", "Ich kann meine Nachbarn nicht ausstehen.", "de", "hateful", "ready", "", 0.6),
        ExampleRow("ar-00041", "أحب جيراني كلهم، بلا استثناء.", "ar", "non-hateful", "excluded", "danger", 0.4),
        ExampleRow("hi-00018", "मुझे अपने सभी पड़ोसी पसंद हैं।", "hi", "non-hateful", "validated", "good", 1.0),
        ExampleRow("zh-00102", "我喜欢我所有的邻居。", "zh", "hateful", "draft", "warning", None),
    ]


def example_matrix() -> list[tuple[str, list[ExampleCell]]]:
    return [
        (
            "Expression of strong negative emotions",
            [ExampleCell(0.974, is_best=True), ExampleCell(0.893), ExampleCell(0.721)],
        ),
        (
            "Denouncements that quote hate",
            [ExampleCell(0.127, is_below_chance=True), ExampleCell(0.266), ExampleCell(0.548, is_best=True)],
        ),
        ("Reclaimed slurs", [ExampleCell(0.395), ExampleCell(None), ExampleCell(0.864, is_best=True)]),
        (
            "Added spaces between characters",
            [ExampleCell(0.434), ExampleCell(0.5), ExampleCell(0.052, is_below_chance=True)],
        ),
    ]
