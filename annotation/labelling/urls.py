"""Pages for labelling, and for setting campaigns up."""

from django.urls import URLPattern, path

from annotation.campaigns.views import forms as campaign_forms
from annotation.campaigns.views import steps as campaign_steps
from annotation.labelling.views import my_work
from annotation.labelling.views import screen as labelling
from annotation.people.views import crowd, onboarding

urlpatterns: list[URLPattern] = [
    path("label/", my_work.my_work, name="my-work"),
    path("label/settings/", my_work.settings, name="labelling-settings"),
    path("label/enter/<str:entry_key>/", crowd.enter, name="crowd-entry"),
    path("label/<slug:key>/", labelling.screen, name="label"),
    path("label/<slug:key>/join/", my_work.join, name="join"),
    path("label/<slug:key>/settings/", my_work.settings_here, name="labelling-settings-here"),
    path("label/<slug:key>/unlink/", my_work.unlink, name="unlink-answers"),
    path("label/<slug:key>/leave/", labelling.leave, name="leave"),
    path("label/<slug:key>/done/", labelling.done, name="labelling-done"),
    path("label/<slug:key>/consent/", onboarding.consent, name="consent"),
    path("label/<slug:key>/guidelines/", onboarding.guidelines, name="guidelines"),
    path("label/<slug:key>/training/", onboarding.training, name="training"),
    path("label/<slug:key>/test/", onboarding.test, name="test"),
    path("label/<slug:key>/about-you/", onboarding.about_you, name="about-you"),
    path("campaigns/new/", campaign_forms.new, name="campaign-new"),
    path("campaigns/<slug:key>/setup/", campaign_forms.setup, name="campaign-setup"),
    path("campaigns/<slug:key>/change/", campaign_forms.change, name="campaign-change"),
    path("campaigns/<slug:key>/preview/", labelling.preview, name="campaign-preview"),
    path("campaigns/<slug:key>/items/", campaign_steps.items, name="campaign-items"),
    path("campaigns/<slug:key>/items/<int:number>/change/", campaign_steps.change_item, name="campaign-item-change"),
    path("campaigns/<slug:key>/items/<int:number>/remove/", campaign_steps.remove_item, name="campaign-item-remove"),
    path("campaigns/<slug:key>/people/", campaign_steps.people, name="campaign-people"),
    path("campaigns/<slug:key>/people/<str:pseudonym>/", campaign_steps.person, name="campaign-person"),
    path("campaigns/<slug:key>/platform/", campaign_steps.platform, name="campaign-platform"),
    path("campaigns/<slug:key>/open/", campaign_steps.open_now, name="campaign-open"),
    path("campaigns/<slug:key>/pause/", campaign_steps.pause, name="campaign-pause"),
    path("campaigns/<slug:key>/resume/", campaign_steps.resume, name="campaign-resume"),
    path("campaigns/<slug:key>/close/", campaign_steps.close, name="campaign-close"),
    path("campaigns/<slug:key>/draft/", campaign_steps.return_to_draft, name="campaign-draft"),
    path("campaigns/<slug:key>/cancel/", campaign_steps.cancel, name="campaign-cancel"),
    path("campaigns/<slug:key>/payments.csv", crowd.payments, name="campaign-payments"),
]
