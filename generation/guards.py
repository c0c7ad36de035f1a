"""What the database refuses in the tables of generation."""

from core.guards import ALWAYS, DELETE, UPDATE, Guard, register
from generation.models import Candidate, CheckVersion, Prompt, ProviderRequest

# The author may still be forgotten.
REWORDED = (
    "NEW.sha256 <> OLD.sha256 OR NEW.instruction <> OLD.instruction OR NEW.system <> OLD.system "
    "OR NEW.demonstration <> OLD.demonstration OR NEW.number <> OLD.number "
    "OR NEW.slurs <> OLD.slurs OR NEW.skeleton <> OLD.skeleton"
)
CHANGED = "NEW.sha256 <> OLD.sha256 OR NEW.number <> OLD.number OR NEW.tests <> OLD.tests OR NEW.rule <> OLD.rule"
OVERWRITTEN = (
    "NEW.original_text <> OLD.original_text OR "
    "(OLD.state = 'accepted' AND (NEW.state <> OLD.state OR NEW.text <> OLD.text))"
)

register(
    Guard(ProviderRequest, (UPDATE, DELETE), ALWAYS, "answers that were paid for are never changed"),
    Guard(Prompt, (UPDATE,), REWORDED, "a prompt never changes: make a new version"),
    Guard(Prompt, (DELETE,), ALWAYS, "a prompt is never deleted: make a new version"),
    Guard(CheckVersion, (UPDATE,), CHANGED, "hypotheses never change: make a new version"),
    Guard(CheckVersion, (DELETE,), ALWAYS, "hypotheses are never deleted: make a new version"),
    Guard(Candidate, (UPDATE,), OVERWRITTEN, "what was accepted, and what the model wrote, never changes"),
)
