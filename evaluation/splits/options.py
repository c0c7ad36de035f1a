"""The options of splits and of experiments on them, declared once for pages, API and commands."""

from typing import Self

from pydantic import model_validator

from core.options import API, COMMAND, LARGEST_SEED, PAGE, File, Options, only, option, refuse
from core.text import _
from evaluation.splits.algorithm.values import Method
from evaluation.splits.models import SplitMethod

MOST = 10_000
SHORTEST = 4  # tokens: beginning and end of the text are two of them
INDEPENDENT_SEED = 42  # one for all splits: they are compared on the same independent examples
LATENT = ("closest", "subset_sum")
POOLINGS = {"cls": _("[CLS] vector"), "mean": _("Mean of the tokens")}
REDUCTIONS = {
    "bottleneck": _("Linear bottleneck, trained with the encoder"),
    "umap": "UMAP",
    "pca": _("Principal components"),
}
PICTURES = {
    "pca": _("Principal components (at once)"),
    "umap": _("UMAP (takes half a minute longer)"),
    "none": _("No picture"),
}
SPLIT, VECTORS, ENCODING, CLUSTERS, EXPLAINING = (
    _("The split"), _("Vectors and likelihoods"), _("How the encoder makes the vectors"), _("Clusters"),
    _("Measurements and picture"),
)  # fmt: skip
FOUND = _("found by its name")
STORED = "works on a stored data set, which knows it"
FROM_FILES = "works on files"
NO_FILES = only(COMMAND, STORED)
ONE_STEP = only(COMMAND, "storing, splitting and releasing are steps of their own here")


class SplitRecipe(Options):
    """What decides a split."""

    method: Method = option(
        label=_("Method"),
        help=_("The methods with clusters hide whole regions of the latent space. The others are baselines."),
        choices=dict(SplitMethod.choices),
        group=SPLIT,
    )
    share: float = option(
        0.1,
        label=_("Test share"),
        help=_("Share of the examples that go into the test set, for example 0.1."),
        above=0,
        below=1,
        group=SPLIT,
    )
    seed: int = option(
        42,
        label=_("Seed"),
        help=_("The same seed always gives the same split."),
        least=0,
        most=LARGEST_SEED,
        group=SPLIT,
    )
    # None by default: the published data sets, and with them the published counts, are without the independent part.
    independent_share: float = option(
        0.0,
        label=_("Independent share"),
        help=_(
            "Share of the examples to set aside at random before splitting, 0.1 in the paper. Use 0 if the data has an "
            "independent test set already."
        ),
        least=0,
        below=1,
        group=SPLIT,
    )
    independent_seed: int = option(
        INDEPENDENT_SEED,
        label=_("Seed of the independent part"),
        help=_("Splits with the same value are tested on the same independent examples."),
        least=0,
        most=LARGEST_SEED,
        group=SPLIT,
    )
    pooling: str = option(
        "cls",
        label=_("Vector of a text"),
        help=_("How the output of the encoder becomes one vector."),
        choices=POOLINGS,
        group=ENCODING,
        advanced=True,
    )
    fine_tune: bool = option(
        False,
        label=_("Fine-tune the encoder on the labels first"),
        help=_("This takes minutes to hours."),
        group=ENCODING,
        advanced=True,
    )
    epochs: int = option(
        3,
        label=_("Epochs"),
        help=_("Number of epochs of a fine-tuning, with or without a bottleneck, for example 3."),
        least=1,
        most=1000,
        group=ENCODING,
        advanced=True,
    )
    learning_rate: float = option(
        5e-5,
        label=_("Learning rate"),
        help=_("Learning rate of a fine-tuning, for example 5e-5."),
        above=0,
        group=ENCODING,
        advanced=True,
    )
    max_length: int = option(
        128,
        label=_("Longest text"),
        help=_("How many tokens of a text the encoder reads, for example 128."),
        least=SHORTEST,
        most=MOST,
        group=ENCODING,
        advanced=True,
    )
    reduce: str = option(
        "",
        label=_("Reduction of dimensions"),
        help=_("How the number of dimensions is reduced. A bottleneck is trained together with the encoder."),
        choices=REDUCTIONS,
        unless_given=_("keep all dimensions"),
        group=ENCODING,
        advanced=True,
    )
    dimensions: int = option(
        50,
        label=_("Number of dimensions"),
        help=_("Number of dimensions after the reduction; 10, 50 or 200 in the paper."),
        least=1,
        most=MOST,
        group=ENCODING,
        advanced=True,
    )
    k_min: int = option(
        3,
        label=_("Fewest clusters"),
        help=_("The smallest k of k-means to try, for example 3."),
        least=2,
        most=MOST,
        group=CLUSTERS,
        advanced=True,
    )
    k_max: int = option(
        50,
        label=_("Most clusters"),
        help=_("The largest k of k-means to try, for example 50."),
        least=2,
        most=MOST,
        group=CLUSTERS,
        advanced=True,
    )
    initialisations: int = option(
        10,
        label=_("Initialisations"),
        help=_("Number of starts of k-means for every k, for example 10."),
        least=1,
        most=MOST,
        group=CLUSTERS,
        advanced=True,
    )
    picture: str = option(
        "pca",
        label=_("Picture"),
        help=_("How the examples are drawn in the plane."),
        choices=PICTURES,
        group=EXPLAINING,
        advanced=True,
    )

    @model_validator(mode="after")
    def _leave_something(self) -> Self:
        if self.share + self.independent_share >= 1:
            refuse(
                _("Test share and independent share together must be less than 1: some examples are needed to train."),
                about="independent_share",
            )
        if self.k_min > self.k_max:
            refuse(
                _("“Most clusters” must be at least “Fewest clusters” (%(fewest)s).", fewest=self.k_min), about="k_max"
            )
        return self

    @property
    def needs_vectors(self) -> bool:
        return self.method in LATENT


class SplitOptions(SplitRecipe):
    """How a data set is split, where the vectors come from, and what is said about the parts."""

    verb = "latent split"

    dataset: str = option(
        "",
        help=_("Key of a stored data set, for example davidson-2017."),
        needed=(API,),
        without={PAGE: "is chosen on the page before", COMMAND: f"{FROM_FILES}: --data"},
    )
    data: File = option(
        None,
        help=_("The labelled texts: CSV, TSV, JSON Lines or Parquet."),
        needed=(COMMAND,),
        metavar="FILE",
        without=NO_FILES,
    )
    title: str = option(
        "",
        label=_("Title"),
        help=_("Title of the split, for example “Davidson 2017, closest clusters”."),
        unless_given=_("the data set, the method and the seed"),
        longest=160,
        group=SPLIT,
    )
    vectors: File = option(
        None,
        label=_("Vectors (.npy)"),
        help=_("Ready vectors: one row of numbers per example, in the order of the data set."),
        flag="--hiddens",
        metavar="FILE.npy",
        group=VECTORS,
    )
    vectors_of: str = option(
        "",
        label=_("Or the vectors of an earlier split"),
        help=_("Key of a split of the same data set that was made from vectors."),
        unless_given=_("none"),
        group=VECTORS,
        without={COMMAND: f"{FROM_FILES}: give the file vectors.npy of the earlier split"},
    )
    encoder: str = option(
        "",
        label=_("Or an encoder"),
        help=_("Folder or hub id of the model that makes the vectors, for example bert-base-uncased."),
        longest=300,
        metavar="SPEC",
        group=VECTORS,
    )
    language_model: str = option(
        "",
        label=_("Language model"),
        help=_("Folder or hub id of a model, for example gpt2. Only for the method with the least likely texts."),
        unless_given=_("the word pairs of the data"),
        longest=300,
        metavar="SPEC",
        group=VECTORS,
    )
    keywords: tuple[str, ...] = option(
        (),
        label=_("Keywords"),
        help=_("One word per line. The page shows which of them are rarer in the training part than in the test part."),
        unless_given=_("the words that tell the labels apart"),
        rows=3,
        metavar="WORD",
        group=EXPLAINING,
        advanced=True,
    )
    groups_column: str = option(
        "",
        label=_("Groups column"),
        help=_("Name of the column with the groups a text is about, if there is one."),
        flag="--target-column",
        group=EXPLAINING,
        advanced=True,
    )
    sources_column: str = option(
        "",
        label=_("Sources column"),
        help=_("Name of the column that says where a text comes from, if there is one."),
        flag="--source-column",
        group=EXPLAINING,
        advanced=True,
    )
    out: File = option(
        None, help=_("Folder to write to."), needed=(COMMAND,), metavar="DIR",
        without=only(COMMAND, "offers a download"),
    )  # fmt: skip
    text_column: str = option("", help=_("Name of the column with the texts."), unless_given=FOUND, without=NO_FILES)
    label_column: str = option("", help=_("Name of the column with the labels."), unless_given=FOUND, without=NO_FILES)
    language: str = option("en", help=_("Language of the texts, for example en."), metavar="CODE", without=NO_FILES)
    explain: bool = option(
        False,
        help=_("Measure how the parts differ."),
        without=only(COMMAND, "always measures it"),
    )
    store: bool = option(
        False, help=_("Keep the data and the split on the platform, for experiments."), without=ONE_STEP
    )
    dataset_title: str = option(
        "",
        help=_("Title of the stored data set."),
        unless_given=_("the name of the file"),
        without=ONE_STEP,
    )
    release: str = option(
        "",
        help=_("Store the split and publish it under this key."),
        metavar="KEY",
        without=ONE_STEP,
    )
    release_version: str = option("1.0.0", help=_("Version of the release."), metavar="VERSION", without=ONE_STEP)
    licence: str = option("", help=_("Licence of the released texts."), without=ONE_STEP)
    candidate: bool = option(
        False, help=_("Build the release, but leave publishing to a maintainer."), without=ONE_STEP
    )

    @model_validator(mode="after")
    def _need_one_source(self) -> Self:
        """Latent splits need vectors, from one place; only an encoder can be trained."""
        if not self.needs_vectors:
            return self
        places = [name for name in ("vectors", "vectors_of", "encoder") if getattr(self, name)]
        if not places:
            title = SplitMethod(self.method).label
            refuse(
                _("The method “%(method)s” needs vectors: give ready ones (.npy) or an encoder.", method=title),
                about="vectors",
            )
        if len(places) > 1:
            refuse(_("Give one source of vectors only: a file, an earlier split, or an encoder."))
        if places != ["encoder"] and (self.fine_tune or self.reduce == "bottleneck"):
            refuse(_("Ready vectors cannot be trained. Give an encoder, or turn off fine-tuning."), about="encoder")
        return self


class SplitReleaseOptions(Options):
    """The release that a split becomes."""

    verb = "split release"
    without = {COMMAND: "latent_split --release does it in the same step"}

    key: str = option(
        label=_("Key"),
        help=_("Key of the suite: lower-case letters, digits and hyphens, for example davidson-closest."),
        longest=60,
    )
    version: str = option(
        "1.0.0", label=_("Version"), help=_("Semantic version of the release, for example 1.0.0."), longest=40
    )
    name: str = option(
        "",
        label=_("Name"),
        help=_("Name of the suite, for example “Davidson 2017, closest clusters”."),
        unless_given=_("the title of the split"),
        longest=160,
    )
    licence: str = option("", label=_("Licence"), help=_("Licence of the texts, for example CC-BY-4.0."), longest=120)
    language: str = option(
        "",
        label=_("Language"),
        help=_("Language of the texts, for example en."),
        unless_given=_("the language of the data set"),
        longest=20,
    )
    card: str = option(
        "",
        label=_("Evaluation card"),
        help=_("The card is filled in as far as possible. Check every row: it is published with the release."),
        unless_given=_("the card as it is filled in"),
        rows=12,
    )


class ExperimentOptions(Options):
    """What is trained on which splits."""

    verb = "split experiment"

    splits: tuple[str, ...] = option(
        (),
        label=_("Splits"),
        help=_("Keys of splits of one data set. Include a random split: the drop is measured against it."),
        needed=(PAGE, API),
        positional=True,
        metavar="SPLIT",
    )
    trainer: str = option(
        "linear",
        label=_("Trainer"),
        help=_(
            "Write linear for a linear model (seconds), or hf: and the folder or hub id of an encoder to fine-tune "
            "(hours)."
        ),
        longest=300,
        metavar="SPEC",
    )
    seeds: tuple[int, ...] = option(
        (1, 2, 3),
        label=_("Seeds"),
        help=_("One training per split and seed. Example: 1, 2, 3."),
        least=0,
        most=LARGEST_SEED,
    )
    epochs: int = option(
        3, label=_("Epochs"), help=_("Number of epochs of a fine-tuning, for example 3."), least=1, most=1000
    )
    learning_rate: float = option(
        5e-5,
        label=_("Learning rate"),
        help=_("Learning rate of a fine-tuning, for example 5e-5."),
        above=0,
        advanced=True,
    )
    batch_size: int = option(
        16,
        label=_("Batch size"),
        help=_("Number of texts per step of a fine-tuning, for example 16."),
        least=1,
        most=1024,
        advanced=True,
    )
    max_length: int = option(
        128,
        label=_("Longest text"),
        help=_("How many tokens of a text the encoder reads, for example 128."),
        least=SHORTEST,
        most=MOST,
        advanced=True,
    )
    resume: str = option(
        "",
        help=_("Key of an experiment to continue. The results it has are kept."),
        metavar="EXPERIMENT",
        without={PAGE: "has a button for it", API: "continues an experiment through its job"},
    )

    @model_validator(mode="after")
    def _can_be_trained(self) -> Self:
        if len(set(self.seeds)) != len(self.seeds) or not self.seeds:
            refuse(_("Give at least one seed, and each seed only once."), about="seeds")
        if self.trainer != "linear" and not self.trainer.startswith("hf:"):
            refuse(
                _("This is not a trainer. Write linear, or hf: and the folder or id of an encoder."), about="trainer"
            )
        return self

    def tuning(self) -> dict[str, float]:
        """Return what decides a fine-tuning; nothing for a linear model."""
        names = ("epochs", "learning_rate", "batch_size", "max_length")
        return {} if self.trainer == "linear" else {name: getattr(self, name) for name in names}
