"""Task files that let evaluation harnesses run an exported release as it lies there, without a network."""
