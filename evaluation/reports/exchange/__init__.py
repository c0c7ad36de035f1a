"""Results of one model in the formats in which others collect results."""
