"""Statistics for cases that come in templates: the cases of one template succeed and fail together."""
