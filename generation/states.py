"""Allowed moves of runs and candidates; `core.states.move` makes them."""

from core.states import Moves
from generation.candidates.models import CandidateState
from generation.runs.models import RunState

RUN_MOVES: Moves = {
    # Its job decides whether it can be queued again: one that was stopped there leaves the run as it was.
    RunState.QUEUED: {RunState.QUEUED, RunState.RUNNING, RunState.STOPPED, RunState.FAILED},
    # A run whose worker died is still "running" when the next worker takes it up.
    RunState.RUNNING: {RunState.QUEUED, RunState.RUNNING, RunState.DONE, RunState.STOPPED, RunState.FAILED},
    RunState.STOPPED: {RunState.QUEUED, RunState.RUNNING, RunState.STOPPED},
    RunState.FAILED: {RunState.QUEUED, RunState.RUNNING, RunState.STOPPED},
}
CANDIDATE_MOVES: Moves = {
    CandidateState.PROPOSED: {CandidateState.ACCEPTED, CandidateState.REJECTED},
    # An accepted one is a case by now and is dealt with there.
    CandidateState.REJECTED: {CandidateState.PROPOSED},
}
