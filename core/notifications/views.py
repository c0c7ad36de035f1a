"""The inbox of a person, when mail is wanted, and the webhooks of the instance."""

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.http import HttpResponse
from django.shortcuts import get_object_or_404, redirect, render
from django.views.decorators.http import require_POST, require_safe

from accounts.confirming import confirmed
from accounts.services.people import require_administrator
from core.errors import BadInput
from core.notifications import services
from core.notifications.delivering import sends_mail
from core.notifications.models import Delivery, Happening, MailTime, Notification, Webhook
from core.notifications.options import WebhookOptions
from core.options.forms import OptionsForm
from core.text import _
from core.web import SignedInRequest, page_of


class WebhookForm(OptionsForm[WebhookOptions]):
    """A new webhook."""

    options = WebhookOptions


@login_required
@require_safe
def inbox(request: SignedInRequest) -> HttpResponse:
    """Show the notifications of the person, newest first; `?show=unread` only those not seen yet."""
    rows = Notification.objects.visible_to(request.user)
    unread_only = request.GET.get("show") == "unread"
    times = services.mail_times(request.user)
    context = {
        "page": page_of(request, rows.unread() if unread_only else rows),
        "unread_only": unread_only,
        "choices": [(kind, label, times[kind]) for kind, label in Happening.choices],
        "times": MailTime.choices,
        "sends_mail": sends_mail(),
    }
    return render(request, "core/notifications/inbox.html", context)


@login_required
@require_safe
def open_notification(request: SignedInRequest, pk: int) -> HttpResponse:
    """Note that a notification was seen, and lead to what it is about."""
    notification = get_object_or_404(Notification.objects.visible_to(request.user), pk=pk)
    services.mark_read(notification)
    return redirect(notification.url or "core:inbox")


@login_required
@require_POST
def read_all(request: SignedInRequest) -> HttpResponse:
    services.mark_all_read(request.user)
    return redirect("core:inbox")


@login_required
@require_POST
def choose_mail(request: SignedInRequest) -> HttpResponse:
    services.choose_mail(request.user, {kind: request.POST[kind] for kind in Happening.values if kind in request.POST})
    messages.success(request, _("Saved."))
    return redirect("core:inbox")


@login_required
@confirmed
def webhooks(request: SignedInRequest) -> HttpResponse:
    """List the webhooks with what was sent last, and add one."""
    require_administrator(request.user)
    form = WebhookForm(request.POST or None)
    made = None
    if request.method == "POST" and form.is_valid():
        try:
            made = services.add_webhook(form.chosen.url, kinds=form.chosen.kinds, by=request.user)
        except BadInput as error:
            form.add_error("url", str(error))
        else:
            form = WebhookForm()
    titles = dict(Happening.choices)
    rows = [(webhook, [titles[kind] for kind in webhook.kinds if kind in titles]) for webhook in Webhook.objects.all()]
    log = Delivery.objects.filter(webhook__isnull=False).select_related("webhook")
    context = {"form": form, "made": made, "rows": rows, "page": page_of(request, log)}
    return render(request, "core/notifications/webhooks.html", context, status=422 if form.errors else 200)


@login_required
@require_POST
@confirmed
def webhook_remove(request: SignedInRequest, pk: int) -> HttpResponse:
    webhook = _webhook(request, pk)
    services.remove_webhook(webhook, by=request.user)
    messages.success(request, _("Webhook removed: %(url)s", url=webhook.url))
    return redirect("core:webhooks")


@login_required
@require_POST
def webhook_try(request: SignedInRequest, pk: int) -> HttpResponse:
    services.try_webhook(_webhook(request, pk), by=request.user)
    messages.success(request, _("Test message queued. See the result in the log below."))
    return redirect("core:webhooks")


@login_required
@require_POST
def delivery_again(request: SignedInRequest, pk: int) -> HttpResponse:
    require_administrator(request.user)
    services.send_again(get_object_or_404(Delivery, pk=pk), by=request.user)
    messages.success(request, _("Message queued to be sent again."))
    return redirect("core:webhooks")


def _webhook(request: SignedInRequest, pk: int) -> Webhook:
    require_administrator(request.user)
    return get_object_or_404(Webhook, pk=pk)
