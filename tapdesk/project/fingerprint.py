"""A short name of some ratings: other ratings have another one."""

import hashlib
from functools import lru_cache

from tapdesk.ratings.ratings import Ratings


# As many as there are ratings in the memory of the replay, told binary and in all classes.
@lru_cache(maxsize=4)
def fingerprint(ratings: Ratings) -> str:
    """Sixteen hexadecimal digits in groups of four, such as ``7F3A-91C2-0D4E-55B8``.

    They follow from the ratings, names, classes, weights and further columns, not from how they came about: undoing a
    change brings the fingerprint back.
    """
    digest = hashlib.sha256()
    for array in (ratings.subject, ratings.rater, ratings.category):
        digest.update(array.astype("<i8").tobytes())
    if ratings.weight is not None:
        digest.update(ratings.weight.astype("<i8").tobytes())
    names = (ratings.subjects, ratings.raters, ratings.classes, ratings.members)
    digest.update(repr((names, ratings.ordered, ratings.raters_known)).encode("utf-8", "surrogatepass"))
    for name, column in sorted(ratings.covariates.items()):
        digest.update(repr((name, column.of.value, column.values.tolist())).encode("utf-8", "surrogatepass"))
    digits = digest.hexdigest()[:16].upper()
    return "-".join(digits[i : i + 4] for i in range(0, 16, 4))
