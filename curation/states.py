"""Allowed moves of template versions, cases and releases; `core.states.move` makes them."""

from core.states import Moves
from curation.authoring.models import VersionState
from curation.cases.models import CaseState
from curation.releases.models import ReleaseState, RequestState

VERSION_MOVES: Moves = {
    VersionState.DRAFT: {VersionState.SUBMITTED},
    VersionState.SUBMITTED: {VersionState.APPROVED, VersionState.REJECTED, VersionState.DRAFT},
    VersionState.APPROVED: {VersionState.SUPERSEDED},
}
# An import brings texts that were reviewed elsewhere: it approves its own drafts, and open versions make room for them.
IMPORTED_VERSION_MOVES: Moves = {
    VersionState.DRAFT: {VersionState.APPROVED, VersionState.REJECTED},
    VersionState.SUBMITTED: {VersionState.REJECTED},
    VersionState.APPROVED: {VersionState.SUPERSEDED},
}
# A bundle brings the history of a template: decided versions wait as rejected ones until their texts are stored.
BUNDLED_VERSION_MOVES: Moves = {VersionState.REJECTED: {VersionState.APPROVED, VersionState.SUPERSEDED}}
CASE_MOVES: Moves = {
    CaseState.DRAFT: {CaseState.READY, CaseState.RETIRED},
    CaseState.READY: {CaseState.VALIDATED, CaseState.EXCLUDED, CaseState.RETIRED},
    CaseState.VALIDATED: {CaseState.EXCLUDED, CaseState.RETIRED},
    CaseState.EXCLUDED: {CaseState.READY, CaseState.VALIDATED, CaseState.RETIRED},
    # A wording that is approved again brings its cases back; one that an expert excluded stays excluded.
    CaseState.RETIRED: {CaseState.READY, CaseState.EXCLUDED},
}
# Labels that were taken back leave a case as it was before anybody labelled it.
TAKEN_BACK_MOVES: Moves = {CaseState.VALIDATED: {CaseState.READY}}
RELEASE_MOVES: Moves = {
    ReleaseState.DRAFT: {ReleaseState.BUILDING},
    ReleaseState.BUILDING: {ReleaseState.CANDIDATE, ReleaseState.DRAFT},
    ReleaseState.CANDIDATE: {ReleaseState.PUBLISHED, ReleaseState.DRAFT},
}
ACCESS_MOVES: Moves = {
    RequestState.ASKED: {RequestState.GRANTED, RequestState.REFUSED},
    RequestState.GRANTED: {RequestState.REFUSED},
}
