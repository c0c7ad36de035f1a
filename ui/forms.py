"""How every Django form is drawn: one renderer, named in settings.FORM_RENDERER."""

from django.forms.renderers import DjangoTemplates


class TouchstoneRenderer(DjangoTemplates):
    """Draws `{{ form }}` and `{{ form.name.as_field_group }}` with the templates in ui/templates/ui/forms."""

    form_template_name = "ui/forms/form.html"
    field_template_name = "ui/forms/field.html"
    formset_template_name = "ui/forms/formset.html"
