"""Rank the public models on a release."""

from typing import Any

from core.commands import DomainCommand
from curation.finding import find_release
from evaluation.results.leaderboard import leaderboard_of
from evaluation.results.options import LeaderboardOptions
from evaluation.results.terminal import describe_leaderboard


class Command(DomainCommand):
    help = "Rank the public models on a release by macro F1, with ties: differences are tested over templates."
    options = LeaderboardOptions

    def perform(self, chosen: LeaderboardOptions) -> dict[str, Any]:
        return leaderboard_of(find_release(chosen.release)).as_json()

    def describe(self, result: dict[str, Any]) -> str:
        return describe_leaderboard(result)
