"""What a model answered in an evaluation harness, read from the log that the harness wrote."""
