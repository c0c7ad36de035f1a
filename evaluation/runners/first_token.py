"""Classifiers of the BERT family read only the first token of the last layer: the rest need not be computed.

The feed-forward block of that layer is a ninth of MiniLM's work. Where answers would change, nothing is changed.
"""

from __future__ import annotations

from typing import Any

# Families whose classification head looks at position 0 and whose layers have `feed_forward_chunk`.
FAMILIES = frozenset({"bert", "roberta", "xlm-roberta", "camembert", "electra"})


def skip_unread_positions(model: Any) -> bool:
    """Let the last feed-forward block see the first token only; true where that was possible and proved harmless."""
    import torch

    config = model.config
    layer = _last_layer(model)
    chunk: Any = getattr(config, "chunk_size_feed_forward", 0)  # computed piece by piece, each of another length
    if config.model_type not in FAMILIES or layer is None or chunk:
        return False
    probe = torch.arange(24, device=model.device).reshape(2, 12) % min(1000, config.vocab_size)
    mask = torch.ones_like(probe)
    mask[1, 7:] = 0
    whole = layer.feed_forward_chunk
    with torch.inference_mode():
        expected = model(input_ids=probe, attention_mask=mask).logits
        layer.feed_forward_chunk = lambda attended: whole(attended[:, :1])
        try:
            found = model(input_ids=probe, attention_mask=mask).logits
            is_same = found.shape == expected.shape and bool(torch.allclose(found, expected, atol=1e-4))
        except (RuntimeError, IndexError):
            is_same = False
    if not is_same:
        del layer.feed_forward_chunk
    return is_same


def _last_layer(model: Any) -> Any:
    layers = getattr(getattr(model.base_model, "encoder", None), "layer", None)
    layer = layers[-1] if layers is not None and len(layers) else None
    return layer if hasattr(layer, "feed_forward_chunk") else None
