"""A sequence-classification model in memory: texts in, logits out, as fast as this machine can."""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from contextlib import AbstractContextManager, closing, nullcontext
from typing import TYPE_CHECKING, Any, Generic, TypeVar

from core.inference.batches import plan_batches
from core.inference.devices import bf16_is_safe, choose_device
from core.inference.errors import ModelUnusable, Stopped
from core.inference.first_token import skip_unread_positions
from core.inference.loading import load_network, load_tokenizer
from core.inference.model_files import ModelFolder
from core.inference.settings import Dtype, InferenceSettings
from core.inference.side_by_side import each_on_its_own_thread
from core.text import _

if TYPE_CHECKING:
    import numpy as np
    import torch


GPU_TIMES = 16
Progress = Callable[[int, int], None]
ShouldStop = Callable[[], bool]
Files = TypeVar("Files", bound=ModelFolder)


class SequenceClassifier(Generic[Files]):
    """Tokenises once, sorts by length, cuts batches by token budget, and puts the results back in order."""

    def __init__(self, files: Files, *, settings: InferenceSettings, dtype: Dtype) -> None:
        import torch

        if settings.threads:
            torch.set_num_threads(settings.threads)
        self.files = files
        self.dtype = dtype
        self.device = choose_device(settings.device)
        if dtype == "int8" and self.device.type != "cpu":
            raise ModelUnusable(_("int8 is for the CPU only. Use fp32 or bf16 on this device."))
        self.tokenizer: Any = load_tokenizer(files)
        self.model: Any = _load(files, dtype=dtype).to(self.device).eval()
        self._ensure_padding()
        # The budget is what keeps a CPU's caches warm; a GPU idles on so little.
        self.budget = settings.token_budget if self.device.type == "cpu" else GPU_TIMES * settings.token_budget
        self._without_onednn = dtype == "bf16" and self.device.type == "cpu" and not bf16_is_safe()
        # A bf16 comparison would drown in rounding, so only the exact formats are sped up this way.
        self.skips_unread = dtype == "fp32" and skip_unread_positions(self.model)
        self.max_length = min(settings.max_length, self.tokenizer.model_max_length, _positions(self.model.config))

    @property
    def class_names(self) -> list[str]:
        names = self.model.config.id2label
        return [str(names[index]) for index in range(self.model.config.num_labels)]

    @property
    def is_multi_label(self) -> bool:
        config = self.model.config
        return bool(config.problem_type == "multi_label_classification" or config.num_labels == 1)

    def logits(
        self,
        texts: Sequence[str],
        *,
        pairs: Sequence[str] | None = None,
        progress: Progress | None = None,
        should_stop: ShouldStop | None = None,
    ) -> np.ndarray[Any, Any]:
        """One row of logits per text (with its partner from `pairs`, if given), in the order of the texts.

        Raises `PartialLogits` between two batches when asked to stop.
        """
        import numpy as np

        rows = np.full((len(texts), self.model.config.num_labels), np.nan, dtype=np.float32)
        done = 0
        batches = self.batches(texts, pairs=pairs)
        on_cpu = self.device.type == "cpu" and len(batches) > 1
        answers = (
            each_on_its_own_thread(self._forward, batches) if on_cpu else (self._forward(each) for each in batches)
        )
        with self._safe_kernels(), closing(answers):
            while done < len(texts):
                if should_stop is not None and should_stop():
                    raise PartialLogits(rows)
                positions, found = next(answers)
                rows[positions] = found
                done += len(positions)
                if progress is not None:
                    progress(done, len(texts))
        return rows

    def _forward(self, one: tuple[list[int], dict[str, torch.Tensor]]) -> tuple[list[int], np.ndarray[Any, Any]]:
        import torch

        positions, batch = one
        with torch.inference_mode():
            return positions, self.model(**batch).logits.float().cpu().numpy()

    def batches(
        self, texts: Sequence[str], *, pairs: Sequence[str] | None = None
    ) -> list[tuple[list[int], dict[str, torch.Tensor]]]:
        """The padded batches with the positions of their texts; made beforehand, they are small beside the model."""
        if not texts:
            return []
        columns = self._encode(texts, pairs)
        lengths = [len(row) for row in columns["input_ids"]]
        return [
            (positions, self._pad(columns, positions, lengths[positions[0]]))
            for positions in plan_batches(lengths, budget=self.budget)
        ]

    def _ensure_padding(self) -> None:
        # Decoders used as classifiers often have no padding token and then refuse more than one text at a time.
        if self.tokenizer.pad_token_id is None:
            self.tokenizer.pad_token = self.tokenizer.eos_token
        if self.model.config.pad_token_id is None:
            self.model.config.pad_token_id = self.tokenizer.pad_token_id

    def _safe_kernels(self) -> AbstractContextManager[None]:
        import torch

        flags: Any = torch.backends.mkldnn.flags
        without: AbstractContextManager[None] = flags(enabled=False) if self._without_onednn else nullcontext()
        return without

    def _encode(self, texts: Sequence[str], pairs: Sequence[str] | None) -> dict[str, list[list[int]]]:
        # The Rust tokenizer would wake every core for each chunk; with several workers on one machine they fight.
        os.environ.setdefault("TOKENIZERS_PARALLELISM", "false")
        encoded = self.tokenizer(
            list(texts),
            list(pairs) if pairs is not None else None,
            truncation="only_first" if pairs is not None else True,
            max_length=self.max_length,
            return_attention_mask=False,
        )
        return {name: encoded[name] for name in encoded if name in {"input_ids", "token_type_ids"}}

    def _pad(self, columns: dict[str, list[list[int]]], positions: list[int], longest: int) -> dict[str, torch.Tensor]:
        import torch

        fill = {"input_ids": self.tokenizer.pad_token_id or 0, "token_type_ids": self.tokenizer.pad_token_type_id}
        left = self.tokenizer.padding_side == "left"
        lengths = [len(columns["input_ids"][position]) for position in positions]

        def padded(rows: list[list[int]], value: int) -> torch.Tensor:
            full = [
                [value] * (longest - len(row)) + row if left else row + [value] * (longest - len(row)) for row in rows
            ]
            return torch.tensor(full, device=self.device)

        batch = {name: padded([rows[position] for position in positions], fill[name]) for name, rows in columns.items()}
        batch["attention_mask"] = padded([[1] * length for length in lengths], 0)
        return batch


class PartialLogits(Stopped):
    """Stopped between two batches; rows that were not computed are NaN."""

    def __init__(self, rows: np.ndarray[Any, Any]) -> None:
        super().__init__(_("stopped on request"))
        self.rows = rows


def _load(files: ModelFolder, *, dtype: Dtype) -> Any:
    import torch
    from transformers import AutoModelForSequenceClassification

    model = load_network(
        AutoModelForSequenceClassification,
        files,
        what=_("sequence classifier"),
        trained=_("classification head"),
        dtype=torch.bfloat16 if dtype == "bf16" else torch.float32,
    )
    if dtype == "int8":
        # Dynamic quantization: 1 to 1.5 % of labels change, so the record marks it as a preview.
        quantize: Any = torch.ao.quantization.quantize_dynamic
        model = quantize(model.eval(), {torch.nn.Linear}, dtype=torch.qint8)
    return model


def _positions(config: Any) -> int:
    # RoBERTa counts its positions from padding_idx + 1, so two of them can never hold a token.
    positions = getattr(config, "max_position_embeddings", None) or 512
    return (
        positions - 2 if config.model_type in {"roberta", "xlm-roberta", "camembert", "xlm-roberta-xl"} else positions
    )
