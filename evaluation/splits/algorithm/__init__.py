"""Train/test splits that hide regions of a model's latent space from training, to see how it fails at worst."""
