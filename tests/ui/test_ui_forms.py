"""`{{ form }}` everywhere: labels, help and errors belong together for eyes and for screen readers."""

import re

from django import forms

from ui.gallery import GalleryForm


class SignedForm(forms.Form):
    name = forms.CharField(help_text="Short.")
    secret = forms.CharField(widget=forms.HiddenInput, initial="s3cret")

    def clean(self) -> None:
        raise forms.ValidationError("Nothing was saved.")


def test_every_visible_field_has_a_label_that_points_to_it():
    shown = str(GalleryForm())
    for name in ("name", "language", "threshold", "description", "document", "is_public"):
        assert re.search(rf'<label[^>]*for="id_{name}"', shown), name
        assert f'id="id_{name}"' in shown
    assert shown.count("<fieldset") == shown.count("<legend") == 2


def test_help_is_announced_with_its_field():
    shown = str(GalleryForm())
    assert 'aria-describedby="id_name_helptext"' in shown
    assert 'id="id_name_helptext"' in shown


def test_an_error_is_announced_with_its_field():
    shown = str(GalleryForm(data={}))
    assert 'aria-invalid="true"' in shown
    assert 'aria-describedby="id_name_helptext id_name_error"' in shown
    assert 'id="id_name_error"' in shown


def test_optional_fields_say_so_and_required_ones_need_no_star():
    shown = str(SignedForm())
    assert "(optional)" not in shown
    assert "*" not in shown
    assert str(GalleryForm()).count("(optional)") == 4


def test_errors_of_the_whole_form_come_first_and_hidden_fields_are_kept():
    shown = str(SignedForm(data={"name": "x", "secret": "s3cret"}))
    assert shown.index("Nothing was saved.") < shown.index("id_name")
    assert 'role="alert"' in shown
    assert 'name="secret"' in shown


def test_a_formset_can_be_sent():
    formset = forms.formset_factory(SignedForm, extra=2)()
    shown = str(formset)
    assert "form-TOTAL_FORMS" in shown
    assert shown.count('name="form-') >= 4
