"""Indexes of releases: the signed list that an instance or a folder publishes, and fetching what it names."""
