"""Adversarial attacks against abuse detectors (AAA), built from a developer's own training and test data."""
