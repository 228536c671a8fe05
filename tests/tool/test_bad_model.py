#!/usr/bin/env python3
"""A model file that is damaged, foreign or hostile: one line that names it, at once."""

import copy
import json
import resource
import subprocess
import unittest

from rampart_command import LONGEST, RAMPART, CommandTest

MEMORY = 512 << 20  # bytes; the models here have a few hundred
WRONG = [None, True, "text", -1, 1.5, 10**9, 10**30, [], {}, [[]], ["text"], [None], {"text": 1}]
SURFACE = ("surfaces", 0)
OPTIONAL = [(*SURFACE, "certificate", "history"), ("features", "file_columns"),
            ("features", "fields"), ("encoding",), ("familiar",), ("fingerprint",)]


def run_in_little_memory(*arguments, cwd=None):
    def limit():
        resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))

    return subprocess.run([RAMPART, *arguments], cwd=cwd, capture_output=True, text=True,
                          timeout=LONGEST, check=False,
                          preexec_fn=limit if LITTLE_IS_ENOUGH else None)


# Not for a build with sanitizers: they reserve terabytes of address space.
LITTLE_IS_ENOUGH = True
LITTLE_IS_ENOUGH = run_in_little_memory("--version").returncode == 0


def paths_of(value, path=()):
    """Every place in the model, as keys and positions."""
    if path:
        yield path
    if isinstance(value, dict):
        for key in value:
            yield from paths_of(value[key], (*path, key))
    elif isinstance(value, list) and value:
        yield from paths_of(value[0], (*path, 0))


def changed(model, path, change):
    """A copy in which `change` was applied to what holds the last key of the path."""
    model = copy.deepcopy(model)
    at = model
    for key in path[:-1]:
        at = at[key]
    change(at, path[-1])
    return model


def removed(model, path):
    return changed(model, path, lambda at, key: at.pop(key))


def replaced(model, path, value):
    return changed(model, path, lambda at, key: at.__setitem__(key, value))


class BadModel(CommandTest):
    def setUp(self):
        super().setUp()
        self.plant("data.csv", [["a", "b", "y"], [1, 2, "no"], [2, 1, "yes"], [3, 5, "no"],
                                [4, 4, "yes"]])
        self.plant("data.svm", "0 1:1 40:2\n1 1:2 3:1\n0 40:5\n1 1:4 40:4\n")
        self.plant("gram.csv", [[1, 0.5, "no"], [0.5, 1, "yes"]])

    def models(self):
        """One of every kind, with the data it was trained on."""
        return {
            "linear": (self.train("data.csv", "--kernel", "linear"), "data.csv"),
            "rbf, scaled": (self.train("data.csv", "--scale", "standard"), "data.csv"),
            "polynomial": (self.train("data.csv", "--kernel", "polynomial"), "data.csv"),
            "sparse": (self.train("data.svm"), "data.svm"),
            "precomputed": (self.train("gram.csv", "--kernel", "precomputed"), "gram.csv"),
        }

    def places(self):
        """Every place that the reader looks at, in the first model that has it."""
        seen = set()
        for kind, (model, data) in self.models().items():
            for path in paths_of(model):
                if path not in seen:
                    yield kind, path, model, data
                seen.add(path)

    def with_model(self, text, data="data.csv"):
        """Predicts with a model of this text, in little memory."""
        if not isinstance(text, (str, bytes)):
            text = json.dumps(text)
        self.plant("bad.json", text)
        return run_in_little_memory("predict", "bad.json", data, "-o", "out.csv", cwd=self.folder)

    def assert_model_refused(self, text, *words, data="data.csv"):
        done = self.with_model(text, data)
        self.assert_refused(done, 1, "bad.json", *words)
        self.assertNotIn("out.csv", self.files())

    def test_what_is_not_json_or_no_model(self):
        model = json.dumps(self.train("data.csv"))
        for text in ["", " ", "text", "1", "null", "[]", "{}", '"format"', model[:-2], model[:100],
                     model + "}", model.replace(":", "=", 1), "\0", "\xff\xfe",
                     b"\x80\x81\xff", self.path("data.csv").read_text(encoding="utf-8"),
                     model.replace("rampart-model", "other-model"), '{"format": 1}']:
            with self.subTest(text=text[:40]):
                self.assert_model_refused(text)

    def test_the_message_says_where_it_stops_being_json_and_is_text_itself(self):
        for text in ["{\n  x", b"{\n  \xff"]:
            with self.subTest(text=text):
                done = self.with_model(text)
                self.assert_refused(done, 1, "bad.json", "line 2", "column 3")
                self.assertNotIn("json.exception", done.stderr)

    def test_another_version_is_refused_by_name(self):
        model = self.train("data.csv")
        for version in [0, 4, 17, 10**18]:
            with self.subTest(version=version):
                self.assert_model_refused({**model, "version": version}, f"version {version}",
                                          "versions 1 to 3")

    def test_every_key_is_needed(self):
        for kind, path, model, data in self.places():
            if not isinstance(path[-1], int) and path not in OPTIONAL:
                with self.subTest(kind=kind, path=path):
                    self.assert_model_refused(removed(model, path), path[0], data=data)

    def test_no_wrong_type_gets_through(self):
        for kind, path, model, data in self.places():
            at = model
            for key in path:
                at = at[key]
            for wrong in WRONG:
                if not self.is_legal(at, wrong):
                    with self.subTest(kind=kind, path=path, wrong=wrong):
                        self.assert_model_refused(replaced(model, path, wrong), data=data)

    @staticmethod
    def is_legal(right, wrong):
        """Whether the replacement may be legal: judged by its type alone."""
        numbers = (int, float)
        if isinstance(right, bool) or isinstance(wrong, bool):
            return False
        if isinstance(right, numbers) and isinstance(wrong, numbers):
            return True  # its range is the next test's matter
        if isinstance(right, str) and isinstance(wrong, str):
            return True
        if right == {} and isinstance(wrong, dict):
            return True  # class_weights: a number for any label
        return isinstance(right, list) and wrong == []

    def test_values_outside_their_ranges(self):
        models = self.models()
        for kind, path, values in [
            ("linear", [*SURFACE, "band", "rho"], [-1]),
            ("linear", [*SURFACE, "objective", "mu"], [0, -1, 1.5]),
            ("linear", [*SURFACE, "objective", "C"], [0, -1]),
            ("linear", [*SURFACE, "objective", "loss"], ["squared"]),
            ("linear", ["kernel", "type"], ["cubic", "rbf", "precomputed"]),
            ("linear", ["classes"], [["no"], ["no", "no"], ["no", "yes", "maybe"], []]),
            ("linear", [*SURFACE, "objective", "costs", "reject_positive"], [0, -1, 2]),
            ("linear", [*SURFACE, "objective", "costs", "reject_negative"], [0.95]),
            ("linear", [*SURFACE, "objective", "costs", "false_positive"], [0, 0.1]),
            ("linear", [*SURFACE, "certificate", "rows"], [-1, 0.5]),
            ("linear", [*SURFACE, "certificate", "status"], ["lost"]),
            ("rbf, scaled", ["kernel", "gamma"], [0, -1]),
            ("rbf, scaled", ["scaling", "type"], ["log"]),
            ("polynomial", ["kernel", "degree"], [0, -1, 2.5, 101, 10**9]),
            ("sparse", ["vectors", 0, "indices"], [[-1, 0], [0, 40], [0, 10**9], [1, 0], [0, 0],
                                                  [0, 0.5]]),
            ("precomputed", ["support"], [[1, 0], [0, 0], [0, 2], [0, 10**9], [-1, 0]]),
        ]:
            for value in values:
                with self.subTest(kind=kind, path=path, value=value):
                    model, data = models[kind]
                    self.assert_model_refused(replaced(model, path, value), data=data)

    def test_arrays_of_unequal_length(self):
        models = self.models()
        for kind, path in [("linear", [*SURFACE, "weights"]), ("linear", ["features", "names"]),
                           ("rbf, scaled", ["scaling", "offset"]),
                           ("rbf, scaled", ["scaling", "factor"]),
                           ("rbf, scaled", [*SURFACE, "coefficients"]), ("rbf, scaled", ["vectors"]),
                           ("rbf, scaled", ["vectors", 0]), ("sparse", ["vectors", 0, "values"]),
                           ("sparse", ["vectors", 0, "indices"]), ("sparse", [*SURFACE, "coefficients"]),
                           ("precomputed", ["support"]), ("precomputed", [*SURFACE, "coefficients"])]:
            model, data = models[kind]
            for name, change in [("longer", lambda at, key: at[key].append(at[key][-1])),
                                 ("shorter", lambda at, key: at[key].pop())]:
                with self.subTest(kind=kind, path=path, change=name):
                    self.assert_model_refused(changed(model, path, change), data=data)

    def test_a_huge_count_costs_neither_memory_nor_time(self):
        models = self.models()
        for kind, (model, data) in models.items():
            for count in [40, 2**24, 2**24 + 1, 10**9, 2**32, 2**63, 2**64 - 1, 2**64, 10**30, -1]:
                with self.subTest(kind=kind, count=count):
                    model["features"].update(count=count, names=[])
                    done = self.with_model(model, data)
                    if kind == "sparse" and count in [40, 2**24]:
                        self.assertEqual(done.returncode, 0, done.stderr)
                    else:
                        self.assert_refused(done, 1)

    def test_numbers_that_are_not_finite(self):
        text = json.dumps(replaced(self.train("data.csv"), [*SURFACE, "band", "b"], "HERE"))
        for number in ["1e999", "-1e999", "1e999999999999", "NaN", "Infinity", "-Infinity", "1e",
                       "0x10", "1" * 5000, "1_000", "01"]:
            with self.subTest(number=number[:20]):
                self.assert_model_refused(text.replace('"HERE"', number))

    def test_deep_nesting(self):
        model = json.dumps(self.train("data.csv"))
        depth = 1_000_000
        for text in [depth * "[", depth * "[" + depth * "]", depth * '{"a":',
                     model[:-1] + ', "deep": ' + depth * "[" + "}"]:
            with self.subTest(text=text[-20:]):
                self.assert_model_refused(text)
        # Whole, it is a key that the reader does not know: any answer will do but a crash.
        done = self.with_model(model[:-1] + ', "deep": ' + depth * "[" + depth * "]" + "}")
        self.assertIn(done.returncode, [0, 1])

    def test_scores_that_overflow_are_no_answers(self):
        model = self.train("data.csv", "--kernel", "linear")
        self.plant("bad.json", json.dumps(replaced(model, [*SURFACE, "weights"], [1e308, -1e308])))
        self.plant("far.csv", [["a", "b", "y"], [1e10, 1e10, "no"], [1, 1e10, "yes"]])
        done = run_in_little_memory("inspect", "bad.json", "--points", "far.csv", cwd=self.folder)
        self.assert_refused(done, 1, "finite")
        for options in [[], ["--on-incomplete", "impute", "--on-unseen", "ignore"]]:
            for answer in self.predictions("bad.json", "far.csv", *options):
                self.assertEqual((answer["prediction"], answer["score"]), ("reject", ""))
                self.assertRegex(answer["reason"], "^unfamiliar")
        found = self.run_json("evaluate", "bad.json", "far.csv")
        self.assertEqual((found["rejection_rate"], found["reasons"]), (1, {"unfamiliar": 2}))

    def test_a_score_that_overflows_names_the_value_and_says_so(self):
        model = self.train("data.csv", "--kernel", "linear", "--unfamiliar", "0")
        self.plant("bad.json", json.dumps(replaced(model, [*SURFACE, "weights"], [1e308, -1e308])))
        self.plant("far.csv", [["a", "b", "y"], [1, 1e10, "yes"], [-1e12, 1e10, "yes"]])
        reasons = [answer["reason"] for answer in self.predictions("bad.json", "far.csv")]
        self.assertRegex(reasons[0], r"^unfamiliar: column 'b' is .*: f\(x\) is not finite")
        self.assertRegex(reasons[1], r"^unfamiliar: column 'a' is .*: f\(x\) is not finite")

    def test_keys_that_nobody_knows_are_no_error(self):
        model = self.train("data.csv")
        many = {f"key{n}": n for n in range(200_000)}  # squared, this would take minutes
        for changed in [{**model, "comment": {"by": ["me"]}}, {**model, "comment": many},
                        {**many, **model}]:
            done = self.with_model(changed)
            self.assertEqual((done.returncode, done.stderr), (0, ""))


if __name__ == "__main__":
    unittest.main()
