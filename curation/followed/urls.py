"""Addresses of followed indexes."""

from django.urls import URLPattern, path

from curation.followed import views

urlpatterns: list[URLPattern] = [
    path("releases/followed/", views.followed, name="followed"),
    path("releases/followed/<int:number>/refresh/", views.followed_refresh, name="followed-refresh"),
    path("releases/followed/<int:number>/remove/", views.followed_drop, name="followed-drop"),
]
