"""The form and the request of importing a suite."""

from core.options.forms import OptionsForm
from core.options.serializers import OptionsSerializer
from curation.importing.options import ImportOptions


class ImportForm(OptionsForm[ImportOptions]):
    options = ImportOptions


class ImportSerializer(OptionsSerializer[ImportOptions]):
    options = ImportOptions
