"""Asking models: which files may be read, on which device, and how servers are described and asked. No Django here."""
