"""Stars: which models results show before newer ones."""

from accounts.models import Action, User
from accounts.services import audit
from core.permissions import require_maintainer
from evaluation.models import DetectionModel


def star_model(model: DetectionModel, *, is_starred: bool, by: User | None) -> DetectionModel:
    """Give a model a star, or take it away; again it changes nothing. Refuses people who are not maintainers."""
    if by is not None:
        require_maintainer(by)
    if DetectionModel.objects.filter(pk=model.pk).exclude(is_starred=is_starred).update(is_starred=is_starred):
        audit.record(by, Action.MODEL_REGISTERED, model, changed=True, is_starred=is_starred)
    model.is_starred = is_starred
    return model
