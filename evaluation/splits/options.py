"""The options of splits and of experiments on them, declared once for pages, API and commands."""

from typing import Self

from pydantic import model_validator

from core.options import API, COMMAND, LARGEST_SEED, PAGE, File, Options, only, option, refuse
from evaluation.splits.algorithm.values import Method
from evaluation.splits.models import SplitMethod

MOST = 10_000
SHORTEST = 4  # tokens: beginning and end of the text are two of them
INDEPENDENT_SEED = 42  # one for all splits: they are compared on the same independent examples
LATENT = ("closest", "subset_sum")
POOLINGS = {"cls": "[CLS] vector", "mean": "Mean of the tokens"}
REDUCTIONS = {
    "bottleneck": "Linear bottleneck, trained with the encoder",
    "umap": "UMAP",
    "pca": "Principal components",
}
PICTURES = {"pca": "Principal components (at once)", "umap": "UMAP (half a minute more)", "none": "No picture"}
SPLIT, VECTORS, ENCODING, CLUSTERS, EXPLAINING = (
    "The split", "Vectors and likelihoods", "How the encoder makes them", "Clusters", "What is said about it",
)  # fmt: skip
STORED = "works on a stored data set, which knows it"
FROM_FILES = "works on files"
NO_FILES = only(COMMAND, STORED)
ONE_STEP = only(COMMAND, "storing, splitting and releasing are steps of their own here")


class SplitRecipe(Options):
    """What decides a split."""

    method: Method = option(
        label="Method",
        help="Clusters hide whole regions of the latent space; random and likelihood are baselines.",
        choices=dict(SplitMethod.choices),
        group=SPLIT,
    )
    share: float = option(
        0.1, label="Test share", help="Share of the examples that go into the test set.", above=0, below=1, group=SPLIT
    )
    seed: int = option(42, help="The same seed gives the same split.", least=0, most=LARGEST_SEED, group=SPLIT)
    # None by default: the published data sets, and with them the published counts, are without the independent part.
    independent_share: float = option(
        0.0,
        label="Independent share",
        help="Share of the examples that is set aside at random before, 0.1 in the paper. Use 0 if the data has an "
        "independent test set of its own.",
        least=0,
        below=1,
        group=SPLIT,
    )
    independent_seed: int = option(
        INDEPENDENT_SEED,
        label="Seed of the independent part",
        help="Splits with the same one are tested on the same independent examples.",
        least=0,
        most=LARGEST_SEED,
        group=SPLIT,
    )
    pooling: str = option(
        "cls", label="Vector of a text", help="How the encoder's output becomes one vector.", choices=POOLINGS,
        group=ENCODING, advanced=True,
    )  # fmt: skip
    fine_tune: bool = option(
        False,
        label="Fine-tune the encoder on the labels first",
        help="Takes minutes to hours.",
        group=ENCODING,
        advanced=True,
    )
    epochs: int = option(
        3, help="Of fine-tuning, with or without a bottleneck.", least=1, most=1000, group=ENCODING, advanced=True
    )
    learning_rate: float = option(5e-5, help="Of fine-tuning.", above=0, group=ENCODING, advanced=True)
    max_length: int = option(
        128, label="Longest text", help="Tokens of a text that the encoder reads.", least=SHORTEST, most=MOST,
        group=ENCODING, advanced=True,
    )  # fmt: skip
    reduce: str = option(
        "",
        label="Fewer dimensions",
        help="How the vectors are reduced; a bottleneck is trained with the encoder.",
        choices=REDUCTIONS,
        unless_given="keep all dimensions",
        group=ENCODING,
        advanced=True,
    )
    dimensions: int = option(
        50, label="Number of dimensions", help="After reducing; 10, 50 or 200 in the paper.", least=1, most=MOST,
        group=ENCODING, advanced=True,
    )  # fmt: skip
    k_min: int = option(
        3, label="Fewest clusters", help="Smallest k of k-means.", least=2, most=MOST, group=CLUSTERS, advanced=True
    )
    k_max: int = option(
        50, label="Most clusters", help="Largest k of k-means.", least=2, most=MOST, group=CLUSTERS, advanced=True
    )
    initialisations: int = option(
        10, help="Starts of k-means for every k.", least=1, most=MOST, group=CLUSTERS, advanced=True
    )
    picture: str = option(
        "pca", label="Picture by", help="How the examples are drawn in the plane.", choices=PICTURES, group=EXPLAINING,
        advanced=True,
    )  # fmt: skip

    @model_validator(mode="after")
    def _leave_something(self) -> Self:
        if self.share + self.independent_share >= 1:
            refuse("Test and independent share together must leave something to train on.", about="independent_share")
        if self.k_min > self.k_max:
            refuse(f"The most clusters must not be fewer than the fewest ({self.k_min}).", about="k_max")
        return self

    @property
    def needs_vectors(self) -> bool:
        return self.method in LATENT


class SplitOptions(SplitRecipe):
    """How a data set is split, where the vectors come from, and what is said about the parts."""

    verb = "latent split"

    dataset: str = option(
        "",
        help="Key of a stored data set.",
        needed=(API,),
        without={PAGE: "is chosen on the page before", COMMAND: f"{FROM_FILES}: --data"},
    )
    data: File = option(
        None,
        help="The labelled texts: CSV, TSV, JSON Lines or Parquet.",
        needed=(COMMAND,),
        metavar="FILE",
        without=NO_FILES,
    )
    title: str = option("", help="Of the split.", unless_given="data set, method and seed", longest=160, group=SPLIT)
    vectors: File = option(
        None,
        label="Vectors (.npy)",
        help="Ready vectors: one row of numbers per example, in the order of the data set.",
        flag="--hiddens",
        metavar="FILE.npy",
        group=VECTORS,
    )
    vectors_of: str = option(
        "",
        label="Or the vectors of an earlier split",
        help="Key of a split of the same data that keeps vectors.",
        unless_given="none",
        group=VECTORS,
        without={COMMAND: f"{FROM_FILES}: give the file vectors.npy of the earlier split"},
    )
    encoder: str = option(
        "", label="Or an encoder", help="A folder or hub id of a model that makes the vectors.", longest=300,
        metavar="SPEC", group=VECTORS,
    )  # fmt: skip
    language_model: str = option(
        "",
        help="Only for the least likely texts: a folder or hub id.",
        unless_given="the word pairs of the data tell",
        longest=300,
        metavar="SPEC",
        group=VECTORS,
    )
    keywords: tuple[str, ...] = option(
        (),
        help="Which of these words are rarer in training than in the test part?",
        unless_given="the words that tell the labels apart",
        rows=3,
        metavar="WORD",
        group=EXPLAINING,
        advanced=True,
    )
    groups_column: str = option(
        "", help="Column with the groups a text is about, if any.", flag="--target-column", group=EXPLAINING,
        advanced=True,
    )  # fmt: skip
    sources_column: str = option(
        "", help="Column that says where a text comes from, if any.", flag="--source-column", group=EXPLAINING,
        advanced=True,
    )  # fmt: skip
    out: File = option(
        None, help="Folder to write to.", needed=(COMMAND,), metavar="DIR",
        without=only(COMMAND, "offers a download"),
    )  # fmt: skip
    text_column: str = option("", help="Column with the texts.", unless_given="found by its name", without=NO_FILES)
    label_column: str = option("", help="Column with the labels.", unless_given="found by its name", without=NO_FILES)
    language: str = option("en", help="Of the texts.", metavar="CODE", without=NO_FILES)
    explain: bool = option(
        False,
        help="Measure what sets the parts apart.",
        without=only(COMMAND, "always measures it"),
    )
    store: bool = option(False, help="Keep data and split on the platform, for experiments.", without=ONE_STEP)
    dataset_title: str = option(
        "",
        help="Title of the stored data set.",
        unless_given="the file's name",
        without=ONE_STEP,
    )
    release: str = option(
        "",
        help="Store the split and publish it under this key.",
        metavar="KEY",
        without=ONE_STEP,
    )
    release_version: str = option("1.0.0", help="Version of the release.", metavar="VERSION", without=ONE_STEP)
    licence: str = option("", help="Of the released texts.", without=ONE_STEP)
    candidate: bool = option(False, help="Build the release, but leave publishing to a maintainer.", without=ONE_STEP)

    @model_validator(mode="after")
    def _need_one_source(self) -> Self:
        """Latent splits need vectors, from one place; only an encoder can be trained."""
        if not self.needs_vectors:
            return self
        places = [name for name in ("vectors", "vectors_of", "encoder") if getattr(self, name)]
        if not places:
            refuse(f"The {self.method} split needs vectors: give ready ones (.npy) or an encoder.", about="vectors")
        if len(places) > 1:
            refuse("Vectors come from one place: a file, an earlier split, or an encoder. Leave the others empty.")
        if places != ["encoder"] and (self.fine_tune or self.reduce == "bottleneck"):
            refuse("Ready vectors cannot be trained. Give an encoder, or leave fine-tuning out.", about="encoder")
        return self


class SplitReleaseOptions(Options):
    """The release that a split becomes."""

    verb = "split release"
    without = {COMMAND: "latent_split --release does it in the same step"}

    key: str = option(help="Key of the suite: small letters, digits and hyphens.", longest=60)
    version: str = option("1.0.0", help="A semantic version.", longest=40)
    name: str = option("", help="Name of the suite.", unless_given="the title of the split", longest=160)
    licence: str = option("", help="Of the texts; only you know it.", longest=120)
    language: str = option("", help="Of the texts.", unless_given="that of the data set", longest=20)
    card: str = option(
        "",
        label="Evaluation card",
        help="Prefilled as far as the split itself tells. Check every row: it is published with the release.",
        unless_given="as it is prefilled",
        rows=12,
    )


class ExperimentOptions(Options):
    """What is trained on which splits."""

    verb = "split experiment"

    splits: tuple[str, ...] = option(
        (),
        help="Keys of splits of one data set. Include a random one: the drop is measured against it.",
        needed=(PAGE, API),
        positional=True,
        metavar="SPLIT",
    )
    trainer: str = option(
        "linear",
        help="linear (seconds), or hf: and the folder or hub id of an encoder that is fine-tuned (hours).",
        longest=300,
        metavar="SPEC",
    )
    seeds: tuple[int, ...] = option((1, 2, 3), help="One training each.", least=0, most=LARGEST_SEED)
    epochs: int = option(3, help="Of fine-tuning.", least=1, most=1000)
    learning_rate: float = option(5e-5, help="Of fine-tuning.", above=0, advanced=True)
    batch_size: int = option(16, help="Of fine-tuning.", least=1, most=1024, advanced=True)
    max_length: int = option(
        128, label="Longest text", help="Tokens of a text that the encoder reads.", least=SHORTEST, most=MOST,
        advanced=True,
    )  # fmt: skip
    resume: str = option(
        "",
        help="Key of an experiment to continue; results it has are kept.",
        metavar="EXPERIMENT",
        without={PAGE: "has a button for it", API: "continues an experiment through its job"},
    )

    @model_validator(mode="after")
    def _can_be_trained(self) -> Self:
        if len(set(self.seeds)) != len(self.seeds) or not self.seeds:
            refuse("Give at least one seed, and each only once.", about="seeds")
        if self.trainer != "linear" and not self.trainer.startswith("hf:"):
            refuse("This names no trainer. Write linear, or hf: and the folder or id of an encoder.", about="trainer")
        return self

    def tuning(self) -> dict[str, float]:
        """Return what decides a fine-tuning; nothing for a linear model."""
        names = ("epochs", "learning_rate", "batch_size", "max_length")
        return {} if self.trainer == "linear" else {name: getattr(self, name) for name in names}
