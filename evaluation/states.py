"""Allowed moves of a run."""

from core.states import Moves
from evaluation.runs.models import RunState

RUN_MOVES: Moves = {
    RunState.QUEUED: {RunState.RUNNING, RunState.CANCELLED, RunState.FAILED},
    RunState.RUNNING: {RunState.DONE, RunState.FAILED, RunState.CANCELLED, RunState.QUEUED},
    RunState.FAILED: {RunState.RUNNING, RunState.QUEUED},
    RunState.CANCELLED: {RunState.RUNNING, RunState.QUEUED},
}
