"""The compiled part of nearprint. Its names are those of the package: import them from `nearprint`."""

from __future__ import annotations

import builtins
from collections.abc import Iterable, Iterator, Mapping, Sequence
from os import PathLike
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal, Protocol, TypedDict, Unpack, final, overload, type_check_only

from nearprint._display import Comparison

if TYPE_CHECKING:
    import pandas
    import polars
    import pyarrow

__version__: str

@type_check_only
class _ArrowArray(Protocol):
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...

@type_check_only
class _ArrowStream(Protocol):
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

@type_check_only
class _Progress(Protocol):
    def __call__(self, stage: str, done: int, total: int | None, /) -> object: ...

@type_check_only
class _BytesFile(Protocol):
    def read(self) -> bytes: ...

_Path = str | PathLike[str]
_Paths = _Path | Sequence[_Path]
_Texts = Iterable[str | None] | _ArrowArray | _ArrowStream
# Columns `text` and `id`, or others by `text_field` and `id_field`.
_Table = _ArrowArray | _ArrowStream
_Measure = Literal["jaccard", "containment", "cosine"]
_OnDuplicate = Literal["error", "replace", "skip"]
# Conditions on metadata: FIELD=VALUE, or with one of != < <= > >=.
_Where = str | Sequence[str]
# `edit`, `cosine-tf`, `jaccard-words` and so on: `nearprint compare --help` lists all.
_TextMeasure = str

@type_check_only
class _Options(TypedDict, total=False):
    """How documents are read and what the work may take: the same of every function."""

    threads: int | None
    """Threads to work with; all processors where it is None. Results do not depend on it."""
    memory: int
    """Bytes of memory for fingerprints, texts and the search; half of the machine's by default. More goes to a file."""
    temp: _Path
    """The directory of temporary files, which have no names."""
    charset: str
    """The charset of all documents that are text and of CSV and TSV; nothing in them overrules it."""
    media_type: str
    """The media type of all documents."""
    password: str
    """The password of encrypted PDF."""
    main_content: bool
    """Of HTML pages, take only the main content."""
    max_bytes: int
    """Bytes of a document, at most; 1 GiB by default."""
    limits: Mapping[str, int]
    """Other limits by their names (docs/FORMAT.md), such as {"pages": 500}."""
    isolate: Literal["everything", "heavy", "never"]
    """Which documents are read in a process of their own; "heavy" by default: PDF, packages, RTF, all that is compressed."""
    worker_memory: int
    """Bytes of memory that such a process may use; 4 GiB by default."""
    input_format: str
    """What files are, detected from their content by default: as the command's --read format."""
    id_field: str
    """In JSON lines and tables the field with the id; "id" by default."""
    text_field: str
    """In JSON lines and tables the field with the text; "text" by default."""
    html_field: str
    """In JSON lines and tables the field with the text as HTML."""
    delimiter: str | None
    """The separator of the values of CSV, one character or "tab"; detected from the first line by default."""
    no_header: bool
    """The first row of CSV and TSV is a document too; columns are named by number, as text_field="2"."""
    capture_ids: Literal["record", "url", "url-date"]
    """What documents of web archives are called; "record" by default."""
    any_status: bool
    """Of web archives, take responses of every HTTP status, not only of 200."""
    include: Sequence[str]
    """Of directories, take only files that match one of these globs."""
    exclude: Sequence[str]
    """Of directories, leave out what matches one of these globs."""
    hidden: bool
    """Of directories, take names that begin with a dot too."""
    follow: bool
    """In directories, follow links."""

# Options of questions, from the library's list (crates/nearprint/tests/options.rs):

@type_check_only
class _PairsOptions(_Options, total=False):
    """The options of the question `pairs`."""

    measure: str | None
    """Measure of the similarity of texts: jaccard (shared word 3-shingles and numbers), containment (the same, by the
    shorter document: finds parts of longer ones) or cosine (of words and numbers) [default: jaccard]."""
    verify: bool | None
    """Compare the texts of candidates and report only similar ones; if not, every match of fingerprints is reported
    [default: yes, unless only an option of fingerprints is given: scheme, k, similarity]."""
    threshold: float | None
    """Minimum similarity of the texts, 0 to 1 [default: 0.3 for jaccard, 0.8 for other measures]."""
    evidence: bool | None
    """Report only pairs whose texts share more than a phrase of 8 words [default: yes, except for jaccard from 0.5 on]."""
    scheme: str | None
    """Scheme of the fingerprints: an id such as sd1 or md1, a declaration custom:FEATURES,WEIGHT,HASH,BITS, or a file
    that contains one [default: md1 if texts are compared, else sd1]."""
    k: int | Literal["close", "loose"] | None
    """Maximum Hamming distance of two fingerprints: the number of bits (of a sketch, positions) that may differ, or
    close or loose (within 1 or 6 bits for sd1) [default: that of the scheme, 3 for sd1]."""
    similarity: float | None
    """Minimum similarity of two fingerprints, 0 to 1: another form of k (1 - k / width)."""
    bands: str | None
    """Bands and rows into which sketches (md1, wd1) are divided to find candidates, such as 42x3 [default: chosen from
    measure and threshold]."""
    recall: float | None
    """Minimum share of the pairs of sketches to find, 0 to 1, by the cheapest bands: of pairs at the threshold if texts
    are compared, else of pairs just within the distance."""
    whole_buckets: bool
    """Compare all documents whose sketches share a value of a band, however many. By default, a value that needs more
    than 50 million comparisons has only its first documents compared with all others [default: false]."""
    idf: str | None
    """Table of document frequencies of words, a file made by nearprint prints idf, for the measure cosine-tfidf."""
    equal: Literal["all", "star", "none"] | None
    """Which pairs of documents with equal fingerprints to report: all, star (each with the first) or none; with star
    and none, only the first of them is paired with others [default: all]."""
    passages: int | None
    """Also report this many of the longest passages that both documents of a pair contain, and of the longest that only
    one of them contains."""
    least_words: int
    """Leave out documents with fewer words than this: they are in no pair [default: 0]."""
    max_pairs: int | None
    """Stop if a sample predicts more pairs than this, or if more are found; none for no limit [default: 100000000]."""

@type_check_only
class _ClustersOptions(_Options, total=False):
    """The options of the question `clusters`."""

    measure: str | None
    """Measure of the similarity of texts: jaccard (shared word 3-shingles and numbers), containment (the same, by the
    shorter document: finds parts of longer ones) or cosine (of words and numbers) [default: jaccard]."""
    verify: bool | None
    """Compare the texts of candidates and report only similar ones; if not, every match of fingerprints is reported
    [default: yes, unless only an option of fingerprints is given: scheme, k, similarity]."""
    threshold: float | None
    """Minimum similarity of the texts, 0 to 1 [default: 0.3 for jaccard, 0.8 for other measures]."""
    evidence: bool | None
    """Report only pairs whose texts share more than a phrase of 8 words [default: yes, except for jaccard from 0.5 on]."""
    scheme: str | None
    """Scheme of the fingerprints: an id such as sd1 or md1, a declaration custom:FEATURES,WEIGHT,HASH,BITS, or a file
    that contains one [default: md1 if texts are compared, else sd1]."""
    k: int | Literal["close", "loose"] | None
    """Maximum Hamming distance of two fingerprints: the number of bits (of a sketch, positions) that may differ, or
    close or loose (within 1 or 6 bits for sd1) [default: that of the scheme, 3 for sd1]."""
    similarity: float | None
    """Minimum similarity of two fingerprints, 0 to 1: another form of k (1 - k / width)."""
    bands: str | None
    """Bands and rows into which sketches (md1, wd1) are divided to find candidates, such as 42x3 [default: chosen from
    measure and threshold]."""
    recall: float | None
    """Minimum share of the pairs of sketches to find, 0 to 1, by the cheapest bands: of pairs at the threshold if texts
    are compared, else of pairs just within the distance."""
    whole_buckets: bool
    """Compare all documents whose sketches share a value of a band, however many. By default, a value that needs more
    than 50 million comparisons has only its first documents compared with all others [default: false]."""
    linkage: Literal["components", "star", "bounded"] | None
    """Which verified pairs form a cluster: components (all connected documents, through any number of others), star
    (every member is similar to the first of its cluster) or bounded (every two members are similar) [default:
    components]."""

@type_check_only
class _MatchesOptions(_Options, total=False):
    """The options of the question `matches`."""

    measure: str | None
    """Measure of the similarity of texts: jaccard (shared word 3-shingles and numbers), containment (the same, by the
    shorter document: finds parts of longer ones) or cosine (of words and numbers) [default: jaccard]."""
    verify: bool | None
    """Compare the texts of candidates and report only similar ones; if not, every match of fingerprints is reported
    [default: yes, unless only an option of fingerprints is given: scheme, k, similarity]."""
    threshold: float | None
    """Minimum similarity of the texts, 0 to 1 [default: 0.3 for jaccard, 0.8 for other measures]."""
    evidence: bool | None
    """Report only pairs whose texts share more than a phrase of 8 words [default: yes, except for jaccard from 0.5 on]."""
    scheme: str | None
    """Scheme of the fingerprints: an id such as sd1 or md1, a declaration custom:FEATURES,WEIGHT,HASH,BITS, or a file
    that contains one [default: md1 if texts are compared, else sd1]."""
    k: int | Literal["close", "loose"] | None
    """Maximum Hamming distance of two fingerprints: the number of bits (of a sketch, positions) that may differ, or
    close or loose (within 1 or 6 bits for sd1) [default: that of the scheme, 3 for sd1]."""
    similarity: float | None
    """Minimum similarity of two fingerprints, 0 to 1: another form of k (1 - k / width)."""
    bands: str | None
    """Bands and rows into which sketches (md1, wd1) are divided to find candidates, such as 42x3 [default: chosen from
    measure and threshold]."""
    recall: float | None
    """Minimum share of the pairs of sketches to find, 0 to 1, by the cheapest bands: of pairs at the threshold if texts
    are compared, else of pairs just within the distance."""
    whole_buckets: bool
    """Compare all documents whose sketches share a value of a band, however many. By default, a value that needs more
    than 50 million comparisons has only its first documents compared with all others [default: false]."""
    max_matches: int | None
    """Report at most this many matches of a query, the most similar first; none for no limit [default: none]."""

@type_check_only
class _DedupOptions(_Options, total=False):
    """The options of the question `dedup`."""

    threshold: float
    """Minimum Jaccard similarity of word 3-shingles and elements for documents with other words to count as duplicates,
    0 to 1 [default: 0.7]."""
    policy: Literal["exact", "careful", "loose"]
    """Which similar documents are duplicates: exact (identical texts alone), careful (these, and texts of the same
    words or of at least the threshold that do not contradict one another) or loose (all of at least the threshold)
    [default: careful]."""
    keep: str
    """Which document of a cluster to keep, the first of equal ones: first (in the order of the inputs), longest,
    oldest, field:NAME (the smallest value of that field of JSON lines, CSV, Parquet or Arrow; of captures url, date,
    status, mime or digest) or field:NAME:max (the greatest). Numbers are compared by value, other text byte by byte;
    missing values come last [default: first]."""
    chains: bool
    """Also drop documents that are connected to the kept one only through a chain of similar pairs [default: false]."""
    least_words: int
    """Keep documents with fewer words than this without comparing them; only copies of them are dropped [default: 5]."""
    only: Literal["all", "text"]
    """Which documents to decide about: all, or text for only those with a text. The others are kept, without a row
    [default: all]."""
    scheme: str | None
    """Scheme of the fingerprints that propose candidates: an id such as md1, a declaration
    custom:FEATURES,WEIGHT,HASH,BITS, or a file that contains one [default: md1]."""

@type_check_only
class _DiffOptions(_Options, total=False):
    """The options of the question `diff`."""

    threshold: float
    """Minimum Jaccard similarity of the texts, 0 to 1, for changed-little rather than changed-much, and for matching by
    content [default: 0.7]."""
    changes: bool
    """Omit identical documents [default: false]."""

@type_check_only
class _CompareOptions(_Options, total=False):
    """The options of the question `compare`."""

    measure: str
    """Measure of the similarity of the texts: jaccard, containment or cosine, which also see numbers; or a measure of
    words or characters alone: jaccard-F, containment-F or dice-F, with F one of words, shingles-2 to shingles-8 and
    chars-2 to chars-9, weighted-jaccard, cosine-tf, cosine-log, cosine-tfidf (needs idf), or edit (edit distance)
    [default: jaccard]."""
    threshold: float | None
    """Minimum similarity for the texts to count as similar, 0 to 1 [default: 0.3 for jaccard, 0.8 for other measures]."""
    idf: str | None
    """Table of document frequencies of words, a file made by nearprint prints idf, for the measure cosine-tfidf."""
    scheme: str
    """Scheme of the fingerprints: an id such as sd1 or md1, a declaration custom:FEATURES,WEIGHT,HASH,BITS, or a file
    that contains one [default: sd1]."""
    details: int | None
    """Report this many of the most frequent shared words, of the words whose frequencies differ most, of the longest
    passages that both documents contain, and of the longest that only one of them contains."""

@type_check_only
class _PassagesOptions(_Options, total=False):
    """The options of the question `passages`."""

    min_tokens: int
    """Find passages of at least this many tokens, 1 to 10000: words, and of scripts without spaces pairs of letters
    [default: 50]."""
    numbers: bool
    """Count numbers as tokens, so that passages with other numbers are other passages [default: false]."""
    max_places: int
    """Maximum number of places of a passage, 1 to 100000, for its documents to be reported in pairs; a passage at more
    places is one row with its counts [default: 1000]."""
    max_gap: int
    """Join passages with at most this many tokens between them in both documents, 0 to 10000, such as a changed word; 0
    joins none [default: 0]."""

@type_check_only
class _DecontaminateOptions(_Options, total=False):
    """The options of the question `decontaminate`."""

    policy: Literal["guaranteed", "share8", "gpt3", "decon-like"]
    """What shows that a document has an item: guaranteed (a run of at least min_tokens tokens, or all of a shorter
    item), share8 (at least 70 percent of its runs of 8 tokens, in any order), gpt3 (a run of 13 words that is at no
    more than 10 places) or decon-like (most of its rare runs of 5 tokens, and its answer) [default: guaranteed]."""
    min_tokens: int
    """Tokens of a run that shows an item, 5 to 10000; an item with fewer is looked for as a whole. Only for guaranteed
    [default: 13]."""
    answer_within: int
    """Tokens after the end of a question within which its answer must begin, at most 10000; decon-like has bounds of
    its own [default: 50]."""
    ignore_numbers: bool
    """Do not count numbers as tokens: questions with other numbers are the same [default: false]."""

@type_check_only
class _BoilerplateOptions(_Options, total=False):
    """The options of the question `boilerplate`."""

    min_tokens: int
    """List passages of at least this many tokens, 8 to 10000: words, and of scripts without spaces pairs of letters
    [default: 50]."""
    numbers: bool
    """Count numbers as tokens, so that passages with other numbers are other passages [default: false]."""
    least: int
    """List passages of at least this many documents, 2 to 100000 [default: 10]."""
    most: int
    """List at most this many passages, those of the most documents first, 1 to 100000 [default: 100]."""

@type_check_only
class _RepeatsOptions(_Options, total=False):
    """The options of the question `repeats`."""

    min_tokens: int
    """Find runs of at least this many tokens, 8 to 10000: words, and of scripts without spaces pairs of letters
    [default: 50]."""
    ignore_numbers: bool
    """Do not count numbers as tokens: runs with other numbers are repeats [default: false]."""
    all_places: bool
    """Also find the first place of what is repeated [default: false]."""

# End of the options of questions.

@final
class Fingerprint:
    """A fingerprint together with the scheme that it was made by.

    Immutable, hashable and picklable. Fingerprints are equal where scheme and value are, and are ordered by scheme and then
    as numbers. `str` gives the standard's form such as `sd1:aerukz4jvpg66`, which `Fingerprint(text)` reads; `int` and
    `bytes` give the value (most significant byte first).

    Raises:
        InvalidInputError: Where `text` is no fingerprint of a scheme that is known.
    """

    def __new__(cls, text: str, /) -> Fingerprint: ...
    @classmethod
    def from_int(cls, value: int, scheme: str = "sd1") -> Fingerprint:
        """The fingerprint of a scheme that has this value, from 0 to 2**bits - 1.

        Raises:
            InvalidInputError: Where the value does not fit the scheme, or the scheme is unknown.
        """

    @classmethod
    def from_bytes(cls, value: bytes, scheme: str = "sd1") -> Fingerprint:
        """The fingerprint of a scheme that has these bytes, `value`, most significant first.

        Raises:
            InvalidInputError: Where their number is not the scheme's, or the scheme is unknown.
        """

    @property
    def scheme(self) -> str:
        """The id of the scheme, such as `sd1`; of a declared scheme its declaration."""

    @property
    def positions(self) -> int:
        """The largest possible distance: bits of a simhash, numbers of a sketch."""

    def distance(self, other: Fingerprint, /) -> int:
        """Positions in which this one and `other` differ, from 0 to `positions`: of simhashes the Hamming distance in bits.

        Raises:
            InvalidInputError: Where the schemes are not the same.
        """

    def similarity(self, other: Fingerprint, /) -> float:
        """The share of positions in which this one and `other` agree, from 0.0 to 1.0: 1 - distance / positions.

        Raises:
            InvalidInputError: Where the schemes are not the same.
        """

    def __int__(self) -> int: ...
    def __bytes__(self) -> bytes: ...
    def __hash__(self) -> int: ...
    def __eq__(self, other: object, /) -> bool: ...
    def __ne__(self, other: object, /) -> bool: ...
    def __lt__(self, other: Fingerprint, /) -> bool: ...
    def __le__(self, other: Fingerprint, /) -> bool: ...
    def __gt__(self, other: Fingerprint, /) -> bool: ...
    def __ge__(self, other: Fingerprint, /) -> bool: ...
    def __reduce__(self) -> tuple[object, tuple[bytes, str]]: ...

# Arrays of NumPy have no type here, so that NumPy need not be installed: any object with the buffer protocol will do.
_Fingerprints = Sequence[Fingerprint | None] | _ArrowArray | _ArrowStream | Any

@final
class Column:
    """A column of Arrow data: what `fingerprints` returns, or one column of a `Table`.

    It is a sequence (`len`, indexing, slices, iteration) and has the Arrow PyCapsule interface, so `pyarrow.array`,
    `polars.Series` and others take it without a copy. It can be pickled, so that it leaves a worker process.
    """

    @property
    def name(self) -> str:
        """The column's name."""

    @property
    def scheme(self) -> str | None:
        """The scheme of its fingerprints; None of columns that hold none."""

    @property
    def null_count(self) -> int:
        """Number of values that are null."""

    @property
    def type(self) -> str:
        """The Arrow type of its values, such as `UInt64` or `Utf8`."""

    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, place: int, /) -> Any: ...
    @overload
    def __getitem__(self, place: slice, /) -> Column: ...
    def __iter__(self) -> Iterator[Any]: ...
    def __arrow_c_array__(self, requested_schema: object | None = None) -> tuple[object, object]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...
    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any: ...
    def __reduce__(self) -> tuple[object, tuple[bytes]]: ...
    @staticmethod
    def _of_stream(stream: bytes) -> Column: ...
    def to_arrow(self) -> pyarrow.Array:
        """The column as a `pyarrow.Array`. Needs pyarrow."""

    def to_polars(self) -> polars.Series:
        """The column as a `polars.Series`. Needs polars."""

    def to_pandas(self) -> pandas.Series:
        """The column as a `pandas.Series` of Arrow type, so that integers with nulls stay integers. Needs pandas and pyarrow."""

    def to_numpy(self) -> Any:
        """The values as a NumPy array of shape (n,): uint64, uint32 or float64, or void of so many bytes for wider
        fingerprints. `numpy.asarray(column)` takes all columns, others as objects.

        Raises:
            InvalidInputError: Where a value is null, or the column holds none of these.
        """

    def to_pylist(self) -> list[Any]:
        """The values as Python objects, None where there is none."""

@final
class Table:
    """Rows of results as Arrow data.

    It has the Arrow PyCapsule interface, so `pyarrow.table`, `polars.DataFrame`, DuckDB and others take it without a copy.
    It is iterated by rows, which are dictionaries, and can be pickled, so that it leaves a worker process.
    """

    @property
    def column_names(self) -> list[str]:
        """Names of the columns, in order."""

    @property
    def num_rows(self) -> int:
        """Number of rows."""

    @property
    def num_columns(self) -> int:
        """Number of columns."""

    @property
    def schema(self) -> dict[str, str]:
        """The Arrow type of each column by its name, such as `Utf8` or `UInt32`, in order."""

    @property
    def summary(self) -> dict[str, Any]:
        """What the job came to: the fields of the command's `--report`. Empty where no job was done."""

    @property
    def failures(self) -> list[dict[str, Any]]:
        """The documents that gave no fingerprint, with `id`, `place`, `reason` and `detail`, in their order."""

    def __len__(self) -> int: ...
    @overload
    def __getitem__(self, place: str, /) -> Column: ...
    @overload
    def __getitem__(self, place: int, /) -> dict[str, Any]: ...
    @overload
    def __getitem__(self, place: slice, /) -> Table:
        """By a name a column; by a number a row, as a dictionary; by a slice a table of these rows.

        Of a slice `summary` and `failures` are empty: they are of the whole.

        Raises:
            KeyError: Where there is no column of this name.
            IndexError: Where there is no such row.
            InvalidInputError: Where a slice has a step.
        """

    def __iter__(self) -> Iterator[dict[str, Any]]: ...
    def __reduce__(self) -> tuple[object, tuple[bytes, dict[str, Any], list[dict[str, Any]]]]: ...
    @staticmethod
    def _of_stream(stream: bytes, summary: dict[str, Any], failures: list[dict[str, Any]]) -> Table: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...
    def __arrow_c_schema__(self) -> object: ...
    def to_arrow(self) -> pyarrow.Table:
        """The table as a `pyarrow.Table`. Needs pyarrow."""

    def to_polars(self) -> polars.DataFrame:
        """The table as a `polars.DataFrame`. Needs polars."""

    def to_pandas(self) -> pandas.DataFrame:
        """The table as a `pandas.DataFrame` of Arrow types. Needs pandas and pyarrow."""

    def to_pylist(self) -> list[dict[str, Any]]:
        """The rows as dictionaries."""

    def _repr_html_(self) -> str: ...

def fingerprint(text: str, scheme: str = "sd1") -> Fingerprint | None:
    """The fingerprint of one text; None where there is no word in it.

    Args:
        text: The text itself, not a path (see `extract`).
        scheme: `sd1` (64 bits, Hamming distance), `sl1`, `md1` or `wd1` (sketches of 256 bytes), or a declaration
            `custom:...` (docs/SCHEMES.md).

    Raises:
        InvalidInputError: Where the scheme is unknown or the text has lone surrogates.
    """

def fingerprints(
    texts: _Texts,
    scheme: str = "sd1",
    as_: Literal["value", "string", "struct"] = "value",
    *,
    threads: int | None = None,
    progress: _Progress | bool | None = None,
) -> Column:
    """The fingerprints of many texts, on all cores.

    Args:
        texts: An iterable of str and None, or a column of Arrow (utf8, large_utf8, string_view, a dictionary of these, in
            one array or many), such as a `polars.Series` or a `pyarrow.ChunkedArray`. Columns are read without a copy.
        scheme: As of `fingerprint`.
        as_: `value`: uint64 for schemes of 64 bits and fixed-size binary for others. `string`: the standard's form, such as
            `sd1:aerukz4jvpg66`. `struct`: `value`, `fingerprint` (the string), `tokens`, `short` (too few tokens to be
            trusted) and `reason` (`no-tokens` where there is no fingerprint).
        threads: Number of threads; all processors where it is None. Results do not depend on it.
        progress: As of `pairs`; the stage is "texts".

    Returns:
        A column of as many values as there are texts, null where the text is null or has no fingerprint.

    Raises:
        TypeError: Where `texts` holds something else.
        InvalidInputError: Where the scheme or form is unknown, or a str has lone surrogates.
    """

@final
class Extraction:
    """The text of a document, and how it was obtained. `str` gives the text."""

    @property
    def text(self) -> str:
        """The text in reading order; blocks are separated by newlines."""

    @property
    def media_type(self) -> str:
        """The media type that was found, such as `application/pdf`."""

    @property
    def record(self) -> dict[str, Any]:
        """How the text was obtained: charset, extractor and its version, pages, warnings (docs/FORMAT.md)."""

@final
class KnownPassages:
    """Passages that are left out of texts, such as the boilerplate of a site.

    Runs of at least 50 tokens of them are left out, or all of a passage that has fewer, whatever their case, layout and
    punctuation are.

    Args:
        passages: The passages, such as the column `text` of what `boilerplate` gives; or the path of a file with a JSON
            object with a `text` on each line, as `nearprint passages boilerplate --json` writes it.
        numbers: Whether numbers are tokens of them, as of `boilerplate` [default: False; of a file as its lines say].

    Raises:
        InvalidInputError: Where a line of the file is no such object.
        InputOutputError: Where the file cannot be read.
    """

    def __new__(cls, passages: _Texts | _Path, *, numbers: bool | None = None) -> KnownPassages: ...
    def without(self, text: str, /) -> str:
        """The text without the passages: from the first character of each to the end of its last word."""

    def __len__(self) -> int: ...

@final
class Record:
    """A document of a collection, or why there is none."""

    @property
    def id(self) -> str:
        """What the document is called: its path, or what its collection calls it."""

    @property
    def text(self) -> str | None:
        """Its text; None where it has no fingerprint."""

    @property
    def fingerprint(self) -> Fingerprint | None:
        """Its fingerprint; None where there is none, for the `reason`."""

    @property
    def tokens(self) -> int | None:
        """Number of tokens; None where there is no fingerprint."""

    @property
    def reason(self) -> str | None:
        """Why there is no fingerprint, as a code of docs/FORMAT.md; None where there is one."""

    @property
    def detail(self) -> str | None:
        """The same for people."""

    @property
    def place(self) -> dict[str, Any]:
        """Where it is: `file` and, in collections, `offset`, `length`, `line`, `row` or `record`."""

    @property
    def extraction(self) -> dict[str, Any] | None:
        """How its text was obtained; None where it was not."""

    @property
    def content_sha256(self) -> str | None:
        """SHA-256 of the bytes its text was taken from, in hexadecimal; None unless `digests` was asked for."""

    @property
    def text_sha256(self) -> str | None:
        """SHA-256 of its text in UTF-8, in hexadecimal; None unless `digests` was asked for, or where it has no text."""

@final
class Reader:
    """Documents one after the other, read ahead on all cores. Made by `read`."""

    def __iter__(self) -> Reader: ...
    def __next__(self) -> Record: ...
    def close(self) -> None:
        """Stops reading. So does dropping the reader."""

@final
class Index:
    """A collection of fingerprints that changes and is queried. Ids are unique in it.

    `Index(scheme)` is in memory. `Index.create(path, scheme)` and `Index.open(path)` are on disk, the same as of the command
    `nearprint index` (docs/INDEX.md): a change is on disk when its method returns, and survives the end of the process and
    of the machine. One process writes to an index, any number read it meanwhile.

    Any number of threads may use an index at a time. A forked process opens it again. `with Index.open(path) as index:`
    closes it at the end, and so does dropping it.

    Args:
        scheme: The scheme of all its fingerprints.
    """

    def __new__(cls, scheme: str = "sd1") -> Index: ...
    @staticmethod
    def create(path: _Path, scheme: str | None = None, *, features: bool | None = None, texts: bool = False) -> Index:
        """Makes an index in a new directory, and opens it for writing.

        Args:
            scheme: The scheme of all its fingerprints; md1 if it is not given, and sd1 without features.
            features: Whether what verification compares is kept, so that matches and pairs are verified; with md1 it
                is, with another scheme it is not, if it is not given.
            texts: Whether the texts are kept, compressed: `document` gives them back, and `dedup` compares them.

        Raises:
            InvalidInputError: Where there is something at `path`, or the scheme is unknown.
            InputOutputError: Where the directory cannot be made.
        """

    @staticmethod
    def open(path: _Path, *, read_only: bool = False) -> Index:
        """Opens an index on disk, for writing or, with `read_only`, for reading.

        Raises:
            InvalidInputError: Where there is no index at `path`.
            ResourceError: Where another process has it open for writing, and this one wants to write too.
            InputOutputError: Where it cannot be read or is damaged.
        """

    @staticmethod
    def verify(path: _Path) -> builtins.list[str]:
        """Compares every byte of an index on disk with what it should be, and changes nothing.

        Args:
            path: The directory of the index.

        Returns:
            What is damaged, a sentence each; nothing where the index is whole.

        Raises:
            InvalidInputError: Where there is no index at `path`.
            InputOutputError: Where it cannot be opened at all.
        """

    @staticmethod
    def compact(path: _Path) -> None:
        """Makes the tables of an index again and frees the space of removed documents.

        Ctrl-C is not heard in the last step, which gives space back to the file system.

        Args:
            path: The directory of the index.

        Raises:
            InvalidInputError: Where there is no index at `path`.
            ResourceError: Where the index is open for writing.
            InputOutputError: Where its store cannot be read or is damaged.
        """

    @staticmethod
    def rebuild(path: _Path) -> None:
        """Makes the tables of an index again from its store, whatever their files are like. All of them or none.

        Args:
            path: The directory of the index.

        Raises:
            InvalidInputError: Where there is no index at `path`.
            ResourceError: Where the index is open for writing.
            InputOutputError: Where its store cannot be read or is damaged.
        """

    @property
    def scheme(self) -> str:
        """The scheme of all its fingerprints."""

    @property
    def path(self) -> Path | None:
        """The directory of the index; None where it is in memory."""

    def close(self) -> None:
        """Closes the index, once calls of other threads have ended. Whoever uses it after that gets an InvalidInputError."""

    def __enter__(self) -> Index: ...
    def __exit__(self, *_exception: object) -> None: ...
    def __len__(self) -> int: ...
    def __contains__(self, id: str, /) -> bool: ...
    def insert(
        self,
        id: str,
        fingerprint: Fingerprint,
        *,
        on_duplicate: _OnDuplicate = "error",
        metadata: dict[str, Any] | None = None,
    ) -> Literal["added", "replaced", "skipped"]:
        """Adds a document.

        Args:
            id: What it is called, 1 to 4,096 bytes of UTF-8 without control characters.
            fingerprint: Its fingerprint, of the scheme of the index.
            on_duplicate: What to do where the id is there.
            metadata: What is stored with it as JSON, 64 KiB at most. Of indexes on disk.

        Raises:
            InvalidInputError: Where the fingerprint is of another scheme, or the id is there and `on_duplicate` is "error".
        """

    def insert_many(
        self, documents: Iterable[tuple[str, Fingerprint]], *, on_duplicate: _OnDuplicate = "error"
    ) -> tuple[int, int, int]:
        """Adds documents, all or none of them, and returns how many were added, replaced and skipped.

        Args:
            documents: Pairs of an id and a fingerprint.
            on_duplicate: What to do with a document whose id is there, or comes twice.

        Raises:
            InvalidInputError: As of `insert`; then no document of these is in the index.
        """

    def add(
        self,
        data: _Paths | _Table | _Fingerprints | None = None,
        *,
        texts: _Texts | None = None,
        ids: _Texts | None = None,
        on_duplicate: _OnDuplicate = "error",
        if_new: bool = False,
        matches: bool = False,
        k: int | None = None,
        metadata: dict[str, Any] | None = None,
        progress: _Progress | bool | None = None,
        **options: Unpack[_Options],
    ) -> Table:
        """Adds many documents, as the command `nearprint index add` does: on disk 20,000 to a commit.

        Args:
            data: Paths of documents and collections, a table, or fingerprints, as of `nearprint.pairs`.
            texts: Instead of `data`, the texts themselves.
            ids: Ids of `texts` or of fingerprints; their positions as strings where they are not given.
            on_duplicate: What to do with a document whose id is there.
            if_new: Leave out documents that are within `k` of one in the index or of an earlier one of these, and, if the
                index keeps features, are duplicates by the rule of `nearprint.dedup`.
            matches: Add all, and return what was within `k` of each before.
            k: The distance of `if_new` and `matches`; where it is None the scheme's default, and for `if_new` of an index
                with features that within which `nearprint.dedup` compares texts.
            metadata: What is stored with each, as of `insert`.
            progress: As of `nearprint.pairs`.
            options: How documents are read: see `_Options`.

        Returns:
            `query`, `id`, `distance` and so on of what `if_new` and `matches` found. Its `summary` has `added`, `replaced`,
            `skipped`, `near` (left out by `if_new`), `failed` and `documents` (in the index afterwards).

        Raises:
            InvalidInputError: As of `insert`; commits before that stay.
        """

    def merge(self, other: Index, *, on_duplicate: _OnDuplicate = "error") -> tuple[int, int, int]:
        """Adds all documents of another index of the same scheme, and returns how many were added, replaced and skipped.

        Between indexes on disk all that is stored of a document goes along, in commits of 100,000. Else its fingerprint alone
        does. The other index stays as it is.

        Args:
            other: The other index, in memory or on disk.
            on_duplicate: What to do with a document whose id is in both.

        Raises:
            InvalidInputError: Where the schemes differ, an id is in both and `on_duplicate` is "error", or this index keeps
                features and the other one has none; then nothing was added.
        """

    def remove(self, id: str) -> None:
        """Removes a document.

        Raises:
            KeyError: Where there is none of this id.
        """

    def remove_many(self, ids: Sequence[str] | None = None, *, where: _Where | None = None) -> int:
        """Removes documents by their ids, or by conditions on their metadata, and returns how many there were.

        On disk it is one commit.

        Args:
            ids: Ids; those that are not in the index are not counted.
            where: Instead of `ids`, conditions on the metadata, as of `matches`. Of indexes on disk.

        Raises:
            InvalidInputError: Where both or neither are given, or a condition cannot be read.
        """

    def get(self, id: str) -> Fingerprint | None:
        """The fingerprint of a document; None where there is none of this id.

        Raises:
            InvalidInputError: Where `id` can be no id, or the index is closed.
        """

    def document(self, id: str) -> dict[str, Any] | None:
        """All that is stored of a document but its features: `id`, `fingerprint`, `time` (milliseconds since 1970),
        `extractor`, `metadata`; of an index that keeps texts `text`, and `main_content` (the first byte and the end of each
        stretch of it) where that is not the whole text.

        None where there is none of this id. Of indexes on disk.

        Raises:
            InvalidInputError: Where `id` can be no id, or the index is in memory.
        """

    def query(self, fingerprint: Fingerprint, k: int | None = None) -> builtins.list[tuple[str, int]]:
        """Ids and distances of all documents within k positions (<=), nearest first, then in the order of addition.

        Args:
            fingerprint: What is asked about, of the scheme of the index.
            k: The distance; the scheme's default (3 bits for sd1) where it is None.

        Raises:
            InvalidInputError: Where the fingerprint is of another scheme.
        """

    def query_many(
        self, fingerprints: Sequence[Fingerprint], k: int | None = None
    ) -> builtins.list[builtins.list[tuple[str, int]]]:
        """The answers to many queries, in their order: faster than one by one.

        Args:
            fingerprints: What is asked about.
            k: As of `query`.

        Raises:
            InvalidInputError: As of `query`.
        """

    def matches(
        self,
        data: _Paths | _Table | _Fingerprints | Fingerprint | None = None,
        *,
        texts: _Texts | None = None,
        ids: _Texts | None = None,
        where: _Where | None = None,
        progress: _Progress | bool | None = None,
        **options: Unpack[_MatchesOptions],
    ) -> Table:
        """The documents of the index that match documents, texts or fingerprints, as `nearprint query` finds them.

        Where the index keeps features, texts are compared.

        Args:
            data, texts, ids: What is asked about, as of `add`.
            where: Conditions on the metadata of what is found, such as "crawl=2026-11" or ["date>=20260101", "lang!=de"].
                Of indexes on disk.
            progress: As of `nearprint.pairs`.
            options: The options of the question and how documents are read: see `_MatchesOptions`.

        Returns:
            `query`, `id`, `distance`, `similarity`, `estimate`, `measure`, `scheme`: the most similar first, or the nearest if
            no texts are compared.

        Raises:
            InvalidInputError: Where fingerprints are of another scheme, or a condition cannot be read.
        """

    def pairs(
        self,
        *,
        where: _Where | None = None,
        not_same: str | None = None,
        progress: _Progress | bool | None = None,
        **options: Unpack[_PairsOptions],
    ) -> Table:
        """All pairs of the index, as `nearprint pairs` finds them. Of indexes on disk.

        Args:
            where: Only documents that fulfil these conditions, as of `matches`.
            not_same: A field of the metadata: leave out pairs whose documents have the same value of it.
            progress: As of `nearprint.pairs`.
            options: The options of the question and what the work may take: see `_PairsOptions`.

        Returns:
            `a`, `b` (ids), `distance` and so on, in the order of addition.

        Raises:
            InvalidInputError: Where the index is in memory, or `k` is more than a search of all pairs serves.
            ResourceError: Where the memory allowed does not suffice.
        """

    def clusters(
        self,
        *,
        where: _Where | None = None,
        progress: _Progress | bool | None = None,
        **options: Unpack[_ClustersOptions],
    ) -> Table:
        """The documents of the index grouped by its pairs, as by `nearprint clusters`. Of indexes on disk.

        The number of a cluster is that of its earliest document, and stays as long as that document does.

        Args:
            where, progress: As of `pairs`.
            options: As of `pairs`: see `_ClustersOptions`.

        Returns:
            A row for each member, as of `nearprint.clusters`.

        Raises:
            InvalidInputError: As of `pairs`.
        """

    def dedup(
        self,
        *,
        where: _Where | None = None,
        progress: _Progress | bool | None = None,
        **options: Unpack[_DedupOptions],
    ) -> Table:
        """Which documents of the index to keep, as `nearprint.dedup` decides it. Nothing is removed. Of indexes on disk.

        Features that the index keeps are compared, or else its texts are read.

        Args:
            where, progress: As of `pairs`.
            options: The options of the question and what the work may take: see `_DedupOptions`. `keep="oldest"` goes by the
                times of captures, `keep="field:NAME"` by the metadata.

        Returns:
            A row for each document, as of `nearprint.dedup`, in the order of addition.

        Raises:
            InvalidInputError: Where the index is in memory, or keeps neither features nor texts.
            ResourceError: As of `pairs`.
        """

    def export(self, *, where: _Where | None = None, progress: _Progress | bool | None = None) -> Table:
        """All documents in the order of addition. Of indexes on disk.

        Args:
            where: Only those whose metadata fulfil these conditions, as of `matches`.
            progress: As of `nearprint.pairs`; the stage is "documents".

        Returns:
            `id`, `fingerprint` (the standard's form), `print` (uint64, or fixed-size binary of wider ones), `time`
            (milliseconds since 1970), `extractor`, `metadata` (JSON), `scheme`.

        Raises:
            InvalidInputError: Where the index is in memory, or a condition cannot be read.
        """

    def list(self, prefix: str = "", *, after: str | None = None, limit: int | None = None) -> Table:
        """Documents in the order of their ids, as by `nearprint index list`. Of indexes on disk.

        Args:
            prefix: Only ids that begin with it.
            after: Only ids after this one, which need not be in the index.
            limit: So many at most.

        Returns:
            The columns of `export`.

        Raises:
            InvalidInputError: Where the index is in memory.
        """

    def snapshot(self, to: _Path) -> int:
        """Copies the index as it is now to a new directory, and returns how many documents it has. Of indexes on disk.

        Others may write to the index meanwhile. The directory appears once the copy is whole.

        Raises:
            InvalidInputError: Where there is something at `to`, or the index is in memory.
            InputOutputError: Where the index cannot be read or `to` cannot be written.
        """

    def stats(self) -> dict[str, Any]:
        """What the index is like: the fields of `nearprint index stats`. Of indexes on disk."""

def extract(
    source: _Path | bytes | bytearray | _BytesFile,
    *,
    without: KnownPassages | _Texts | _Path | None = None,
    **options: Unpack[_Options],
) -> Extraction:
    """The text of one document: HTML, XML, PDF, office packages, e-books, plain text, compressed or not.

    Args:
        source: A path, the document's bytes, or a file that is open for reading bytes.
        without: Passages that are left out of the text, or what `KnownPassages` makes them of.
        options: How it is read: see `_Options`.

    Raises:
        DocumentError: Where it cannot be read or holds no text; `reason` says why.
        InvalidInputError: Where the file holds many documents, or an option makes no sense.
    """

def read(data: _Paths | _Table, scheme: str = "sd1", *, digests: bool = False, **options: Unpack[_Options]) -> Reader:
    """The documents of any collection that the command reads: directories, JSON lines, CSV, Parquet, Arrow, web archives.

    Args:
        data: Paths of files and directories, or patterns such as `pages-*.warc.gz`; or a table, as of `pairs`.
        scheme: The scheme of the records' fingerprints.
        digests: Whether records have SHA-256 digests of their bytes and texts.
        options: How they are read: see `_Options`.

    Returns:
        An iterator of records in the order of the input. Documents that cannot be read are records with a `reason`.

    Raises:
        InvalidInputError: Where a file is not what documents are read from.
    """

def pairs(
    data: _Paths | _Table | _Fingerprints | None = None,
    *,
    texts: _Texts | None = None,
    ids: _Texts | None = None,
    against: _Paths | _Fingerprints | None = None,
    progress: _Progress | bool | None = None,
    **options: Unpack[_PairsOptions],
) -> Table:
    """All pairs of near-duplicates, as the command `nearprint pairs` finds them.

    Fingerprints (md1) propose pairs of documents, and the texts of these are compared exactly: only what is similar is a
    pair. Whoever names `scheme` or `k` gets every match of fingerprints instead, as does whoever gives fingerprints;
    `verify=True` compares the texts all the same.

    Args:
        data: Paths of documents and collections. Or a table with the Arrow PyCapsule interface (polars, pyarrow, pandas,
            DuckDB) or a LazyFrame of polars, which is collected: the column `text` holds the texts, `id` the ids (text or integers; the row's position where it has
            none); `text_field` (or `html_field`) and `id_field` name other columns. Or fingerprints: Fingerprint objects,
            a NumPy array of uint64, or a column of Arrow such as `fingerprints` returns.
        texts: Instead of `data`, the texts themselves.
        ids: Ids of `texts`, no two the same; their positions as strings where they are not given.
        against: Find only pairs of one of `data` and one of these.
        progress: Called now and then with the stage ("documents" or "search"), what is done, and the total or None. True shows
            bars by tqdm, which must be installed.
        options: The options of the question (docs/OPTIONS.md), how documents are read and what the work may take: see
            `_PairsOptions`.

    Returns:
        Of documents: `a`, `b` (ids), `distance`, `similarity` (null where no texts were compared), `estimate`, `measure`,
        `scheme`. Of fingerprints: `a`, `b` (positions, uint32), `distance`. Each pair comes once, in the order of the input.

    Raises:
        InvalidInputError: Where arguments make no sense together, or fingerprints are of unlike schemes.
        LimitError: Where there are more pairs than `max_pairs`.
        ResourceError: Where the memory allowed or the disk does not suffice.
    """

def clusters(
    data: _Paths | _Table | _Fingerprints | None = None,
    *,
    texts: _Texts | None = None,
    ids: _Texts | None = None,
    progress: _Progress | bool | None = None,
    **options: Unpack[_ClustersOptions],
) -> Table:
    """Documents or fingerprints grouped by their pairs, as the command `nearprint clusters` groups them.

    Args:
        data, texts, ids, progress: As of `pairs`.
        options: The options of the question and of reading: see `_ClustersOptions`.

    Returns:
        A row for each member. Of documents: `cluster` (from 1), `size`, `representative`, `id`, `distance`, `similarity`,
        `chain`, `scheme`. Of fingerprints: `cluster`, `representative`, `id` (positions, uint32). What has no partner is in
        no cluster.

    Raises:
        InvalidInputError, ResourceError: As of `pairs`.
        LimitError: Where there are more verified pairs than the memory holds.
    """

def matches(
    query: _Paths | _Table | bytes | bytearray | _BytesFile | _Fingerprints,
    data: _Paths | _Table | _Fingerprints | None = None,
    *,
    texts: _Texts | None = None,
    ids: _Texts | None = None,
    progress: _Progress | bool | None = None,
    **options: Unpack[_MatchesOptions],
) -> Table:
    """What matches a document or a fingerprint, or each of many, as the command `nearprint query` finds it.

    Args:
        query: Of documents one path, the bytes of a document or a file; or a list of paths or a table for many queries. Of
            fingerprints one or many.
        data, texts, ids, progress: As of `pairs`.
        options: The options of the question and of reading: see `_MatchesOptions`.

    Returns:
        Of documents: `query`, `id`, `distance`, `similarity`, `estimate`, `measure`, `scheme`, the most similar first. Of
        fingerprints: `query`, `id` (positions, uint32), `distance`, the nearest first.

    Raises:
        DocumentError: Where the one query cannot be read or has no fingerprint.
        InvalidInputError, ResourceError: As of `pairs`.
    """

def dedup(
    data: _Paths | _Table | None = None,
    *,
    texts: _Texts | None = None,
    ids: _Texts | None = None,
    against: _Paths | _Table | Index | None = None,
    progress: _Progress | bool | None = None,
    **options: Unpack[_DedupOptions],
) -> Table:
    """Which documents to keep, as the command `nearprint dedup` decides it.

    Args:
        data: Paths of documents and collections, or a table, as of `pairs`.
        texts: Instead of `data`, the texts themselves.
        ids: Ids of `texts`; their positions as strings where they are not given.
        against: Drop documents that duplicate one of these too; nothing is decided about these themselves. An `Index` on disk
            is compared by the features or the texts that it keeps, and no document of it is read again.
        progress: As of `pairs`.
        options: The options of the question and of reading: see `_DedupOptions`.

    Returns:
        A row for each document: `id`, `decision` ("keep" or "drop"), `reason`, `cluster`, `representative`, `similarity`,
        `failure`, `place`, `scheme`, in the order of the input.

    Raises:
        InvalidInputError, ResourceError: As of `pairs`.
    """

def diff(
    old: _Path | _Table | Mapping[str, str | None],
    new: _Path | _Table | Mapping[str, str | None],
    *,
    progress: _Progress | bool | None = None,
    **options: Unpack[_DiffOptions],
) -> Table:
    """What became of a collection between two editions, as the command `nearprint diff` finds it.

    Documents are matched by their ids: captures of archives by their address, files by their path below the directory. The
    others are matched by content.

    Args:
        old, new: A path of a file or directory each, a table, as of `pairs`, or a dictionary of texts by their ids.
        progress: As of `pairs`.
        options: The options of the question and of reading: see `_DiffOptions`.

    Returns:
        `difference` ("identical", "same-words", "changed-little", "changed-much", "moved", "new", "gone", "not-compared"),
        `id`, `old_id` (null of new ones), `similarity`, `contradicts` (null where nothing does), `scheme`: in the order of
        `new`, then those that are gone. Its `summary` counts them under `differences`.

    Raises:
        InvalidInputError, ResourceError: As of `pairs`.
    """

@overload
def passages(
    data: _Paths | _Table | None = None,
    *,
    texts: _Texts | None = None,
    ids: _Texts | None = None,
    against: _Paths | _Table | None = None,
    places: Literal[False] = False,
    progress: _Progress | bool | None = None,
    **options: Unpack[_PassagesOptions],
) -> Table: ...
@overload
def passages(
    data: _Paths | _Table | None = None,
    *,
    texts: _Texts | None = None,
    ids: _Texts | None = None,
    against: _Paths | _Table | None = None,
    places: Literal[True],
    progress: _Progress | bool | None = None,
    **options: Unpack[_PassagesOptions],
) -> tuple[Table, Table]:
    """Every passage that documents share, as the command `nearprint passages` finds it.

    Args:
        data: Paths of documents and collections, or a table, as of `pairs`.
        texts: Instead of `data`, the texts themselves.
        ids: Ids of `texts`; their positions as strings where they are not given.
        against: Find only passages of one of the documents and one of these.
        places: Also give all places of passages that are at more than `max_places` places, as a second table.
        progress: As of `pairs`.
        options: The options of the question and of reading: see `_PassagesOptions`.

    Returns:
        `documents` and `places` (2 of each, or of a frequent passage all), `passage` (the number of a frequent passage,
        else null), `tokens`, `changed` (words of
        either document that the other one lacks there, with `max_gap`), `a`, `a_start`, `a_end` (in characters of the extracted text), `a_start_byte`, `a_end_byte`,
        the same of `b` (null of a frequent passage), `contained` ("a", "b" or "both" where a document has no other
        tokens), `text`: those of two documents in the order of the documents, then the frequent ones. With `places`, a
        second table of them: `passage`, `id`, `start`, `end`, `start_byte`, `end_byte`.

    Raises:
        InvalidInputError, ResourceError: As of `pairs`.
    """

def decontaminate(
    train: _Paths | _Table,
    test: _Paths | _Table,
    *,
    question_field: str | None = None,
    answer_field: str | None = None,
    passage_field: str | None = None,
    progress: _Progress | bool | None = None,
    **options: Unpack[_DecontaminateOptions],
) -> Table:
    """The items of a test that training documents have, as the command `nearprint passages decontaminate` finds them.

    Args:
        train: Training data: paths of documents and collections, or a table, as of `pairs`. Nothing of it is kept.
        test: The test, in the same forms: each document or row is an item.
        question_field: The field or column of `test` with the question [default: that of `text_field`].
        answer_field: The field or column with the answer, for which the test is read again.
        passage_field: That with the passage the question is about, which is looked for as questions are.
        progress: As of `pairs`.
        options: The options of the question and of reading: see `_DecontaminateOptions`.

    Returns:
        A row for each training document and item that it has: `verdict` ("contaminated"), `item`, `part`
        ("question" or "passage"), `item_tokens`,
        `document`, `start`, `end` (in characters of the extracted text), `start_byte`, `end_byte`, `tokens` of the longest
        run, `share` of the item, `answer` (whether it follows; null where there is none); then one for each item with too
        few tokens (`verdict` "undecidable"). `summary` counts the items.

    Raises:
        InvalidInputError, ResourceError: As of `pairs`.
    """

def repeats(
    data: _Paths | _Table | None = None,
    *,
    texts: _Texts | None = None,
    ids: _Texts | None = None,
    against: _Paths | _Table | None = None,
    progress: _Progress | bool | None = None,
    **options: Unpack[_RepeatsOptions],
) -> Table:
    """The text that documents have a second time, as the command `nearprint passages dedup` finds it.

    Args:
        data: Paths of documents and collections, or a table, as of `pairs`.
        texts: Instead of `data`, the texts themselves.
        ids: Ids of `texts`; their positions as strings where they are not given.
        against: What one of these has is a repeat as well; nothing is reported of them.
        progress: As of `pairs`.
        options: The options of the question and of reading: see `_RepeatsOptions`.

    Returns:
        A row for each stretch, in the order of the documents: `id`, `start`, `end` (in characters of the extracted
        text), `start_byte`, `end_byte`, `tokens`, `first` (the document that has its beginning first), `first_start`,
        `first_end`, `first_start_byte`, `first_end_byte`, `text`. Without these stretches every word of them is once in
        the documents. `summary` counts `repeats` and `repeated_tokens` of all `tokens`.

    Raises:
        InvalidInputError, ResourceError: As of `pairs`.
    """

def boilerplate(
    data: _Paths | _Table | None = None,
    *,
    texts: _Texts | None = None,
    ids: _Texts | None = None,
    progress: _Progress | bool | None = None,
    **options: Unpack[_BoilerplateOptions],
) -> Table:
    """The passages that most documents repeat, as the command `nearprint passages boilerplate` lists them.

    Args:
        data, texts, ids, progress: As of `passages`.
        options: The options of the question and of reading: see `_BoilerplateOptions`.

    Returns:
        Rows as of `passages`, those of the most documents first: `b` is null.

    Raises:
        InvalidInputError, ResourceError: As of `pairs`.
    """

def calibrate(
    data: _Paths | _Table | None = None,
    *,
    texts: _Texts | None = None,
    ids: _Texts | None = None,
    labels: _Path | Iterable[tuple[str, str, bool]] | None = None,
    recall: float = 0.95,
    sample: int = 500,
    seed: int = 1,
    progress: _Progress | bool | None = None,
    **options: Unpack[_Options],
) -> Table:
    """What each scheme and distance finds in your documents, as the command `nearprint prints calibrate` measures it.

    Edits are planted in copies of a sample of the documents, or labelled pairs are looked for.

    Args:
        data, texts, ids: As of `pairs`.
        labels: Pairs that are known: triples of two ids and whether they are the same; or a file of lines A TAB B TAB same,
            or different.
        recall: The share of true pairs that must be found, 0 to 1.
        sample: Documents of the sample; time grows with the square of it.
        seed: Of the sample and the edits.
        progress: As of `pairs`.
        options: As of `pairs`.

    Returns:
        A row for each scheme and distance, unverified (`measure` is null) and verified: `recall` with its 95 % interval
        (`recall_at_least`, `recall_at_most`), `kinds` (the same of each edit), `chance_per_million` pairs of different
        documents that match, `chance_in_set`, `bytes` and `microseconds` of a fingerprint, `recommended`.

    Raises:
        InvalidInputError: Where arguments make no sense together, or no label is True.
    """

def correlate(
    data: _Paths | _Table | None = None,
    *,
    texts: _Texts | None = None,
    ids: _Texts | None = None,
    measure: _TextMeasure = "cosine-tf",
    threshold: float | None = None,
    idf: _Path | None = None,
    sample: int = 500,
    seed: int = 1,
    planted: bool = False,
    scheme: str = "sd1",
    progress: _Progress | bool | None = None,
    **options: Unpack[_Options],
) -> Table:
    """How well distances of fingerprints tell the exact similarity of texts, as the command `nearprint prints correlate` shows it.

    Args:
        data, texts, ids: As of `pairs`.
        measure: A measure of words or characters of whole texts, as of `pairs`.
        threshold: The similarity from which pairs count as similar, 0 to 1.
        idf: As of `pairs`.
        sample, seed: As of `calibrate`.
        planted: Compare documents with edited copies of them too, as `calibrate` makes them.
        scheme: The scheme of the fingerprints.
        progress: As of `pairs`.
        options: As of `pairs`.

    Returns:
        The columns of `pairs`, a row for each pair of the sample. Its `summary` has under `correlation`: `coefficient` (of
        K. Pearson, -1 to 1, or None), `documents`, `pairs`, `open` (left out), and of the scheme's default `distance`
        `similar` pairs, `similar_within` it, and all pairs `within` it.

    Raises:
        InvalidInputError: Where arguments make no sense together.
    """

def health(
    data: _Paths | _Table | _Fingerprints | None = None,
    *,
    texts: _Texts | None = None,
    ids: _Texts | None = None,
    scheme: str | None = None,
    progress: _Progress | bool | None = None,
    **options: Unpack[_Options],
) -> dict[str, Any]:
    """How well the fingerprints of a collection discriminate, as the command `nearprint prints health` reports it.

    Args:
        data, texts, ids: As of `pairs`.
        scheme: The scheme of the fingerprints; sd1 where it is None and the data does not say it.
        progress: As of `pairs`.
        options: As of `pairs`.

    Returns:
        The fields of `nearprint prints health --format jsonl` (docs/FORMAT.md): balance and correlation of bits, the fullest bucket,
        and what lies `within` distances by chance.

    Raises:
        InvalidInputError, ResourceError: As of `pairs`.
    """

def simhash(hashes: Iterable[int], /) -> int:
    """The simhash of hashes: a bit is 1 where more than half of the hashes have it. Of none it is 0.

    For programs that make the hashes themselves, as of `nearprint.compat.simhash`; `fingerprint` is of texts.

    Args:
        hashes: Integers from 0 to 2**64 - 1.

    Raises:
        TypeError: Where something is no such integer.
    """

def question_options() -> dict[str, builtins.list[dict[str, Any]]]:
    """The options of every question by its name: `name`, `kind`, `choices`, `default` and `help` of each."""

def resolved(name: Literal["pairs", "dedup"], **options: Any) -> dict[str, Any]:
    """A question about documents with all its defaults, and the candidates that it compares.

    For programs that divide a search among machines; `pairs` and `dedup` use the same numbers.

    Args:
        name: The question.
        options: Its options.

    Returns:
        `question`, a dictionary of its options, and `candidates`: `scheme`, `distance` and `bands` (None where these depend on
        the number of documents); None where no texts are compared.

    Raises:
        InvalidInputError: Where an option has no such value, or two do not go together.
    """

def compare(
    a: _Path | bytes | bytearray | _BytesFile | Fingerprint,
    b: _Path | bytes | bytearray | _BytesFile | Fingerprint,
    **options: Unpack[_CompareOptions],
) -> Comparison:
    """Two documents or two fingerprints compared, as the command `nearprint compare` does.

    Args:
        a, b: Paths, bytes or files of documents, or two fingerprints.
        options: The options of the question and how documents are read: see `_CompareOptions`.

    Returns:
        The fields of `nearprint compare --format jsonl` (docs/FORMAT.md): `distance`, `fingerprint_similarity`, `match` and, of
        documents, `text_similarity`, `texts` ("identical", "same-words", "near", "different"), `verified`.

    Raises:
        DocumentError: Where a document cannot be read or has no fingerprint.
        InvalidInputError: Where fingerprints are of unlike schemes.
    """

def compare_texts(a: str, b: str, **options: Unpack[_CompareOptions]) -> Comparison:
    """Two texts compared exactly.

    Args:
        a, b: The texts.
        options: The measure, the threshold and the table: see `_CompareOptions`.

    Returns:
        `similarity` (0 to 1), `measure`, `texts` (what they are to one another, as of `compare`) and `verified` (whether the
        similarity reaches the threshold). Very long and different texts have no exact edit distance: then `similarity` is
        None, and less than `similarity_below`.

    Raises:
        InvalidInputError: Where the measure is unknown, or `idf` is missing or is no such table.
    """

def table_of_rows(
    kind: Literal["matches", "pairs", "clusters", "decisions", "documents"],
    scheme: str,
    rows: Sequence[dict[str, Any]],
    summary: dict[str, Any] | None = None,
    failures: Sequence[dict[str, Any]] = ...,
) -> Table:
    """A table of rows that a server answered, with the columns that such results have here.

    Args:
        kind: What the rows are.
        scheme: The scheme of the fingerprints.
        rows: Dictionaries with the names of the columns. What is missing is null.
        summary: As of `Table`.
        failures: As of `Table`.

    Raises:
        InvalidInputError: Where a value that a column must have is missing, or the kind is unknown.
    """

def escaped(text: str) -> str:
    """The `text` as HTML."""

def side_by_side(a: str, b: str) -> str:
    """Two texts, `a` and `b`, side by side as HTML, around the first place where they differ."""

def run_command(arguments: Sequence[str]) -> int:
    """Runs the command `nearprint` in this process with its arguments, the first of which is its name: its exit code.

    Wrong usage and signals end the process.
    """

def serve_worker() -> None:
    """Serves as an extraction worker over standard input and output, and does not return."""
