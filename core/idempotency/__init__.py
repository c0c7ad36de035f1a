"""Requests that are sent again after a lost answer, and carried out once."""
