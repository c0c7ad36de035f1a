"""What the labels say: pure functions on vote tables, without Django."""
