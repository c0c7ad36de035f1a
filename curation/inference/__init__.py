"""Running models on this machine: which files may be read, on which device. Nothing here knows Django."""
