"""Which messages each language has to have: everything, or what annotators meet and the documents of releases."""

from babel.messages.catalog import Message

# Experts and maintainers can work in these; annotators in every language of the interface.
WHOLE = ("de", "fr")
ANNOTATORS = (
    "annotation/labelling/",
    "annotation/people/",
    "annotation/questions/",
    "annotation/static/",
    "annotation/templates/annotation/",
    "accounts/confirming.py",
    "accounts/errors.py",
    "accounts/forms.py",
    "accounts/languages.py",
    "accounts/models/people.py",
    "accounts/services/invitations.py",
    "accounts/sign_in",
    "accounts/templates/account/",
    "accounts/templates/accounts/accept.html",
    "accounts/templates/accounts/delete_account.html",
    "accounts/templates/accounts/settings.html",
    "accounts/views/settings.py",
    "annotation/next_actions.py",
    "annotation/notifications.py",
    "annotation/permissions.py",
    "annotation/states.py",
    "config/api_errors.py",
    "config/translations/borrowed.py",
    "config/views.py",
    "core/errors.py",
    "core/notifications/",
    "core/permissions.py",
    "core/reader.py",
    "core/templates/core/help/",
    "core/templates/core/notifications/",
    "core/templates/core/search/",
    "fixtures/catalogue/languages.json",
    "ui/",
)
# The documents of a release can be had in the language of its suite.
DOCUMENTS = (
    "curation/publishing/datasheet.py",
    "curation/publishing/labelling.py",
    "curation/publishing/records.py",
    "curation/publishing/statement.py",
)
MANAGERS = (
    "annotation/templates/annotation/campaign_",
    "annotation/templates/annotation/manage/",
    "core/templates/core/notifications/webhook",
    "ui/gallery.py",
    "ui/templates/ui/gallery",
)


def meets_annotators(message: Message) -> bool:
    """Tell whether a message stands where annotators come by."""
    return any(name.startswith(ANNOTATORS) and not name.startswith(MANAGERS) for name, _line in message.locations)


def is_wanted(message: Message, language: str) -> bool:
    """Tell whether a language has to have a message."""
    in_documents = any(name in DOCUMENTS for name, _line in message.locations)
    return bool(message.id) and (language in WHOLE or in_documents or meets_annotators(message))
