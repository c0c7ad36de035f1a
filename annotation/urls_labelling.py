"""Pages for labelling, and for setting campaigns up."""

from django.urls import URLPattern, path

from annotation.views import campaign_forms, campaign_steps, crowd, labelling, my_work, onboarding

urlpatterns: list[URLPattern] = [
    path("label/", my_work.my_work, name="my_work"),
    path("label/settings/", my_work.settings, name="labelling_settings"),
    path("label/enter/<str:entry_key>/", crowd.enter, name="crowd_entry"),
    path("label/<slug:key>/", labelling.screen, name="label"),
    path("label/<slug:key>/join/", my_work.join, name="join"),
    path("label/<slug:key>/settings/", my_work.settings_here, name="labelling_settings_here"),
    path("label/<slug:key>/leave/", labelling.leave, name="leave"),
    path("label/<slug:key>/done/", labelling.done, name="labelling_done"),
    path("label/<slug:key>/consent/", onboarding.consent, name="consent"),
    path("label/<slug:key>/guidelines/", onboarding.guidelines, name="guidelines"),
    path("label/<slug:key>/training/", onboarding.training, name="training"),
    path("label/<slug:key>/test/", onboarding.test, name="test"),
    path("label/<slug:key>/about-you/", onboarding.about_you, name="about-you"),
    path("campaigns/new/", campaign_forms.new, name="campaign_new"),
    path("campaigns/<slug:key>/setup/", campaign_forms.setup, name="campaign_setup"),
    path("campaigns/<slug:key>/change/", campaign_forms.change, name="campaign_change"),
    path("campaigns/<slug:key>/preview/", labelling.preview, name="campaign_preview"),
    path("campaigns/<slug:key>/items/", campaign_steps.items, name="campaign_items"),
    path("campaigns/<slug:key>/items/<int:number>/remove/", campaign_steps.remove_item, name="campaign_item_remove"),
    path("campaigns/<slug:key>/people/", campaign_steps.people, name="campaign_people"),
    path("campaigns/<slug:key>/people/<str:pseudonym>/", campaign_steps.person, name="campaign_person"),
    path("campaigns/<slug:key>/platform/", campaign_steps.platform, name="campaign_platform"),
    path("campaigns/<slug:key>/open/", campaign_steps.open_now, name="campaign_open"),
    path("campaigns/<slug:key>/pause/", campaign_steps.pause, name="campaign_pause"),
    path("campaigns/<slug:key>/resume/", campaign_steps.resume, name="campaign_resume"),
    path("campaigns/<slug:key>/close/", campaign_steps.close, name="campaign_close"),
    path("campaigns/<slug:key>/draft/", campaign_steps.return_to_draft, name="campaign_draft"),
    path("campaigns/<slug:key>/cancel/", campaign_steps.cancel, name="campaign_cancel"),
    path("campaigns/<slug:key>/payments.csv", crowd.payments, name="campaign_payments"),
]
