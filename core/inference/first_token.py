"""Classifiers of the BERT family read only the first token of the last layer: the rest need not be computed.

Of MiniLM's matrix work that is a seventh: the last layer's feed-forward block, and its queries and output projection.
Where answers would change, nothing is changed.
"""

from typing import Any

# Families whose classification head looks at position 0 and whose layers are built like BERT's.
FAMILIES = frozenset({"bert", "roberta", "xlm-roberta", "camembert", "electra"})


def skip_unread_positions(model: Any) -> bool:
    """Let only the first token pass through the last layer; true where that was possible and proved harmless."""
    import torch

    layer = _last_layer(model)
    if model.config.model_type not in FAMILIES or layer is None:
        return False
    probe = torch.arange(24, device=model.device).reshape(2, 12) % min(1000, model.config.vocab_size)
    mask = torch.ones_like(probe)
    mask[1, 7:] = 0
    attention = layer.attention
    with torch.inference_mode():
        expected = model(input_ids=probe, attention_mask=mask).logits
        attention.forward = _first_token_of(attention)
        try:
            found = model(input_ids=probe, attention_mask=mask).logits
            is_same = found.shape == expected.shape and bool(torch.allclose(found, expected, atol=1e-4))
        except (RuntimeError, IndexError, AttributeError, TypeError):
            is_same = False
    if not is_same:
        del attention.forward
    return is_same


def _first_token_of(attention: Any) -> Any:
    """As the attention block's `forward`, but the first token alone looks at the others."""
    from torch.nn.functional import scaled_dot_product_attention

    inner = attention.self

    def forward(hidden: Any, attention_mask: Any = None, **_: Any) -> tuple[Any, None]:
        def heads(projected: Any) -> Any:
            return projected.view(len(hidden), -1, inner.num_attention_heads, inner.attention_head_size).transpose(1, 2)

        first = hidden[:, :1]
        mask = None if attention_mask is None else attention_mask[..., :1, :]
        query, key, value = heads(inner.query(first)), heads(inner.key(hidden)), heads(inner.value(hidden))
        seen = scaled_dot_product_attention(query, key, value, attn_mask=mask, scale=inner.scaling)
        return attention.output(seen.transpose(1, 2).flatten(2), first), None

    return forward


def _last_layer(model: Any) -> Any:
    layers = getattr(getattr(model.base_model, "encoder", None), "layer", None)
    layer = layers[-1] if layers is not None and len(layers) else None
    return layer if hasattr(getattr(layer, "attention", None), "self") else None
