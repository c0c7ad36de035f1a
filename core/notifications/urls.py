"""Addresses of the inbox and of webhooks."""

from django.urls import URLPattern, path

from core.notifications import views

urlpatterns: list[URLPattern] = [
    path("inbox/", views.inbox, name="inbox"),
    path("inbox/read/", views.read_all, name="inbox-read"),
    path("inbox/mail/", views.choose_mail, name="inbox-mail"),
    path("inbox/<int:pk>/", views.open_notification, name="notification"),
    path("webhooks/", views.webhooks, name="webhooks"),
    path("webhooks/<int:pk>/remove/", views.webhook_remove, name="webhook-remove"),
    path("webhooks/<int:pk>/try/", views.webhook_try, name="webhook-try"),
    path("webhooks/deliveries/<int:pk>/again/", views.delivery_again, name="delivery-again"),
]
