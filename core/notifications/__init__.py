"""Tell people and other programs what happened: an inbox, e-mail and webhooks on one outbox."""
