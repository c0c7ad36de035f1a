"""Baselines that can be trained here: a fine-tuned encoder and a linear classifier. Nothing here knows Django."""
