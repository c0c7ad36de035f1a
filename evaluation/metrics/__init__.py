"""Where a model fails and how sure we are: pure functions on predictions, without Django."""
