"""Run by the peers' interpreter: median processor seconds of crowd-kit's Dawid-Skene, default settings, and its level.

The level is its log-likelihood in nats.
"""

import json
import sys
import time
from statistics import median

import numpy as np
import pandas as pd
from crowdkit.aggregation import DawidSkene


def main(path: str) -> None:
    """Time the aggregation of the long table in a CSV file."""
    frame = pd.read_csv(path)
    told = []
    for _ in range(3):
        start = time.process_time()
        peer = DawidSkene().fit(frame)
        told.append(time.process_time() - start)
    seconds = median(told)
    errors = peer.errors_.fillna(0.0)  # rows: worker and given label, columns: true label
    priors = peer.priors_.reindex(errors.columns)
    given = errors.reindex(pd.MultiIndex.from_frame(frame[["worker", "label"]])).to_numpy()
    logs = np.log(np.maximum(np.nan_to_num(given), 1e-300))
    total = pd.DataFrame(logs).groupby(frame["task"].to_numpy()).sum().to_numpy() + np.log(priors.to_numpy())
    top = total.max(axis=1)
    level = float((top + np.log(np.exp(total - top[:, None]).sum(axis=1))).sum())
    json.dump({"seconds": seconds, "log_likelihood": level}, sys.stdout)


if __name__ == "__main__":
    main(sys.argv[1])
