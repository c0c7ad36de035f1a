"""Addresses of the pages of generation."""

from django.urls import URLPattern, path

from generation.candidates import views as candidates
from generation.checks import views as checks
from generation.diversity import views as diversity
from generation.prompts.views import prompts, trials
from generation.runs.views import answers, expansions, starting
from generation.runs.views import pages as runs

app_name = "generation"
RUN = "generation/runs/<str:key>/"
PROMPT = "generation/prompts/<str:language>/<slug:functionality>/"
urlpatterns: list[URLPattern] = [
    path("generation/", runs.runs_page, name="runs"),
    path("generation/new/", starting.new_run, name="run-new"),
    path("generation/new/preview/", starting.preview, name="run-preview"),
    path(RUN, runs.run_page, name="run"),
    path(f"{RUN}progress/", runs.run_progress, name="run-progress"),
    path(f"{RUN}cancel/", runs.cancel, name="run-cancel"),
    path(f"{RUN}resume/", runs.resume, name="run-resume"),
    path(f"{RUN}check/", runs.check, name="run-check"),
    path(f"{RUN}answers/", answers.answers_page, name="answers"),
    path(f"{RUN}candidates.csv", candidates.candidates_csv, name="candidates-csv"),
    path(f"{RUN}candidates/", candidates.candidates_page, name="candidates"),
    path(f"{RUN}thresholds/", candidates.change_thresholds, name="run-thresholds"),
    path(f"{RUN}candidates/rule/", candidates.decide_many, name="candidates-rule"),
    path(f"{RUN}candidates/next/", candidates.next_page, name="candidate-next"),
    path(f"{RUN}candidates/<int:number>/", candidates.candidate_page, name="candidate"),
    path(f"{RUN}candidates/<int:number>/decide/", candidates.decide_one, name="candidate-decide"),
    path("generation/plans/<str:key>/", runs.plan_page, name="plan"),
    path("generation/plans/<str:key>/study/", checks.study_plan, name="plan-study"),
    path(f"{RUN}study/", checks.study_run, name="run-study"),
    path("generation/pass-rates/", checks.pass_rates_page, name="pass-rates"),
    path("generation/hypotheses/", checks.checks_page, name="checks"),
    path("generation/hypotheses/published/", checks.load_published, name="checks-published"),
    path("generation/hypotheses/<slug:functionality>/", checks.check_page, name="check"),
    path("generation/prompts/", prompts.prompts_page, name="prompts"),
    path(PROMPT, prompts.prompt_page, name="prompt"),
    path(f"{PROMPT}new/", prompts.new_version, name="prompt-new"),
    path(f"{PROMPT}preview/", prompts.preview, name="prompt-preview"),
    path(f"{PROMPT}try/", trials.start_trial, name="prompt-try"),
    path("generation/trials/<str:key>/", trials.trial_page, name="trial"),
    path("generation/diversity/", diversity.diversity_page, name="diversity"),
    path("generation/diversity/<str:key>/", diversity.result_page, name="diversity-result"),
    path("generation/expansions/", expansions.expansion_page, name="expansion"),
    path("generation/expansions/count/", expansions.count_page, name="expansion-count"),
    path("generation/expansions/<str:key>/", expansions.result_page, name="expansion-result"),
]
