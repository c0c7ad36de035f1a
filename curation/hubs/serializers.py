"""What hubs hold of a release, in the API."""

from typing import Any

from rest_framework import serializers

from core.options.serializers import OptionsSerializer
from curation.hubs.models import HubEntry
from curation.hubs.options import PublishToHubOptions


class HubEntrySerializer(serializers.ModelSerializer[HubEntry]):
    class Meta:
        model = HubEntry
        fields = ("hub", "state", "server", "reference", "doi", "url", "begun_at", "published_at")
        read_only_fields = fields


class PublishToHubSerializer(OptionsSerializer[PublishToHubOptions]):
    options = PublishToHubOptions


class HubJobSerializer(serializers.Serializer[Any]):
    release = serializers.CharField()
    job = serializers.CharField()
