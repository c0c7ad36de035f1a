"""One model on one release, as the formats of others need to know it."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import datetime
from typing import Any

LOCAL_KINDS = frozenset({"hf", "linear", "nli", "python", "command"})
HUB_ID = re.compile(r"[\w.-]+/[\w.-]+")
UNKNOWN = "unknown"


@dataclass(frozen=True, slots=True)
class Evaluated:
    """The measures of one model. `hub_dataset` is where the release lies on the hub, "" where it does not."""

    suite: str
    version: str
    sha256: str
    url: str  # the public page of the release, "" where there is none
    model: str
    finished_at: datetime
    measures: Mapping[str, Any]
    environment: Mapping[str, Any] = field(default_factory=dict)
    software: str = ""  # version of Touchstone
    hub_dataset: str = ""
    organisation: str = ""
    languages: tuple[str, ...] = ()  # where only these were asked about

    @property
    def release(self) -> str:
        return f"{self.suite}@{self.version}"

    @property
    def kind(self) -> str:
        return str(self.environment.get("kind", ""))

    @property
    def hub_model(self) -> str:
        """The id of the model on the Hugging Face Hub, "" where it is not known to be there."""
        name = str(self.environment.get("model") or "")
        is_there = self.kind == "hf" and bool(self.environment.get("revision")) and HUB_ID.fullmatch(name)
        return name if is_there else ""

    @property
    def model_id(self) -> str:
        """Return an id of the form developer/model."""
        return self.hub_model or f"{UNKNOWN}/{plain_name(self.model)}"

    @property
    def overall(self) -> Mapping[str, Any]:
        found: Mapping[str, Any] = self.measures["overall"]
        return found


def plain_name(text: str) -> str:
    """Return a name as part of a path or an id."""
    return re.sub(r"[^\w.-]+", "-", text).strip("-.") or UNKNOWN
