from django.urls import path

from ui import views

app_name = "ui"
urlpatterns = [
    path("theme/", views.choose_theme, name="theme"),
    path("gallery/", views.gallery, name="gallery"),
]
