"""Several values in one line of a form, with commas between them."""

from __future__ import annotations

from typing import Any

from django import forms


def split_at_commas(line: str) -> list[str]:
    """The values between the commas, without blanks around them; empty ones do not count."""
    return [part for cell in line.split(",") if (part := cell.strip())]


class NumbersField(forms.CharField):
    """Numbers with commas between them; the value is a list. Refuses what is no number, and none at all."""

    def __init__(self, kind: type[int] | type[float], **facts: Any) -> None:
        super().__init__(**facts)
        self.kind = kind

    def clean(self, value: Any) -> list[Any]:
        line = super().clean(value)
        whole = "whole " if self.kind is int else ""
        try:
            numbers = [self.kind(part) for part in split_at_commas(line)]
        except ValueError as error:
            raise forms.ValidationError(f"Write {whole}numbers with commas between them.") from error
        if not numbers:
            raise forms.ValidationError(f"Write at least one {whole}number.")
        return numbers
