"""Allowed moves of a run."""

from curation.states import Moves
from evaluation.models.runs import RunState

RUN_MOVES: Moves = {
    RunState.QUEUED: {RunState.RUNNING, RunState.CANCELLED, RunState.FAILED},
    RunState.RUNNING: {RunState.DONE, RunState.FAILED, RunState.CANCELLED, RunState.QUEUED},
    RunState.FAILED: {RunState.RUNNING, RunState.QUEUED},
    RunState.CANCELLED: {RunState.RUNNING, RunState.QUEUED},
}
