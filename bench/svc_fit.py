"""svc_fit.py FILE FEATURES sparse|dense C GAMMA CACHE_MB: seconds of one SVC.fit of scikit-learn,
reading not counted, as JSON. Dense features are given to it as the dense array they are."""

import json
import sys
import time

from sklearn.datasets import load_svmlight_file
from sklearn.svm import SVC


def main():
    file, features, form, c, gamma, cache = sys.argv[1:]
    x, y = load_svmlight_file(file, n_features=int(features))
    if form == "dense":
        x = x.toarray()
    machine = SVC(C=float(c), gamma=float(gamma), cache_size=float(cache), tol=1e-3)
    cpu, wall = time.process_time(), time.perf_counter()
    machine.fit(x, y)
    print(json.dumps({"cpu": time.process_time() - cpu, "wall": time.perf_counter() - wall,
                      "support_vectors": int(machine.n_support_.sum())}))


if __name__ == "__main__":
    main()
