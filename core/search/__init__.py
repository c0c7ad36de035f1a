"""One search over everything a person may see. Apps register what they can find."""
