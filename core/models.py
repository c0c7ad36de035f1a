"""The models of the core app, where Django looks for them."""

from core.idempotency.models import KeyedRequest
from core.jobs.models import Job
from core.notifications.models import Delivery, MailChoice, Notification, Webhook

__all__ = ["Delivery", "Job", "KeyedRequest", "MailChoice", "Notification", "Webhook"]
