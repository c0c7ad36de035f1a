"""What turns frozen cases into a published folder: canonical bytes, checksums, writers, documents."""
