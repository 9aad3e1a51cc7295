"""Raters linked through cases, against a search from each of them."""

import numpy as np

from tapdesk.ratings.ratings import linked_groups


def searched(case, rater, raters):
    """The group of each rater, by walking from rater to rater; numbered by the first case of each group."""
    by_case, by_rater = {}, {j: set() for j in range(raters)}
    for i, j in zip(case.tolist(), rater.tolist(), strict=True):
        by_case.setdefault(i, set()).add(j)
        by_rater[j].add(i)
    left, groups = set(range(raters)), []
    while left:
        walk, group = [min(left)], set()
        while walk:
            j = walk.pop()
            if j not in group:
                group.add(j)
                walk.extend(k for i in by_rater[j] for k in by_case[i])
        left -= group
        groups.append(group)
    never = len(case) + 1 + int(case.max(initial=0))
    groups.sort(key=lambda group: (min((i for j in group for i in by_rater[j]), default=never), min(group)))
    return [next(n for n, group in enumerate(groups) if j in group) for j in range(raters)]


def test_groups_are_those_a_walk_finds_in_the_order_of_their_first_cases():
    rng = np.random.default_rng(1)
    for _turn in range(300):
        raters, ratings = int(rng.integers(1, 25)), int(rng.integers(0, 40))
        case, rater = rng.integers(0, 20, ratings), rng.integers(0, raters, ratings)
        assert linked_groups(case, rater, raters).tolist() == searched(case, rater, raters)


def test_a_long_chain_is_one_group():
    order = np.random.default_rng(2).permutation(5_001)
    case = np.repeat(np.arange(5_000), 2)
    rater = order[np.stack([np.arange(5_000), np.arange(1, 5_001)], axis=1).ravel()]
    assert not linked_groups(case, rater, 5_001).any()
