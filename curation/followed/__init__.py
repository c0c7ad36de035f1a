"""Indexes of other instances and folders that this instance follows: their releases beside its own."""
