"""What the API of data sets, attacks, splits and experiments shares."""

from typing import Any, TypeVar, cast

from django.db.models import Model
from django.shortcuts import get_object_or_404
from rest_framework import mixins, serializers, viewsets

from accounts.api.parsers import FormParser, JSONParser, MultiPartParser
from accounts.api.permissions import SignedIn
from accounts.models import User
from core.models import Job
from core.options import Options
from core.options.serializers import OptionsSerializer, read_options
from evaluation.models import Dataset

Shown = TypeVar("Shown", bound=Model)
Chosen = TypeVar("Chosen", bound=Options)


def read_values(kind: type[serializers.Serializer[Any]], data: Any, *, partial: bool = False) -> dict[str, Any]:
    """Return the values of a request as the serializer reads them. Refuses what is not valid."""
    serializer = kind(data=data, partial=partial)
    serializer.is_valid(raise_exception=True)
    return dict(serializer.validated_data)


class ArtefactViewSet(mixins.ListModelMixin, mixins.RetrieveModelMixin, viewsets.GenericViewSet[Shown]):
    """List and show what a signed-in person may see, by key."""

    permission_classes = [SignedIn]
    parser_classes = [JSONParser, MultiPartParser, FormParser]
    lookup_field = "key"

    @property
    def person(self) -> User:
        return cast(User, self.request.user)

    def find_dataset(self, key: str) -> Dataset:
        """Return a data set the person may see."""
        return get_object_or_404(Dataset.objects.visible_to(self.person), key=key)

    def chosen(self, kind: type[OptionsSerializer[Chosen]]) -> Chosen:
        """Return the options of the request's body. Refuses what is not valid."""
        return read_options(kind, self.request.data)


class ArtefactSerializer(serializers.ModelSerializer[Shown]):
    # No docstring: the schema would give it to every artefact as its description.
    dataset: serializers.SlugRelatedField[Dataset] = serializers.SlugRelatedField(slug_field="key", read_only=True)
    job: serializers.SlugRelatedField[Job] = serializers.SlugRelatedField(
        slug_field="key", read_only=True, allow_null=True
    )
