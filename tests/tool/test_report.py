#!/usr/bin/env python3
"""The data of a report page: what evaluate, inspect and predict say of the same model and rows."""

import csv
import json
import math
import random
import resource
import shlex
import subprocess
import unittest

from rampart_command import LONGEST, RAMPART, CommandTest

GIGABYTE = 1 << 30

ZONES = ["safe", "margin", "plateau", "near miss", "ignored outlier"]


class Report(CommandTest):
    def setUp(self):
        super().setUp()
        self.generate("square", "train.csv", "--seed", "1")
        self.generate("square", "test.csv", "-n", "3000", "--seed", "2")

    def report(self, *options, model="model.json", data="test.csv"):
        """The one model of the report."""
        page = self.run_json("report", model, data, *options)
        self.assertEqual(len(page["models"]), 1)
        return page["models"][0]

    def cases(self):
        """Options of training, and of the report."""
        yield ["--kernel", "linear", "-c", "100"], []
        yield ["--kernel", "linear", "-c", "100"], ["--reject-cost", "0.1", "--confidence", "0.9"]
        yield ["-g", "2", "-c", "10", "--scale", "standard"], ["--costs", "1,3,0.3,0.2"]
        yield ["--loss", "double-hinge", "-c", "10"], []
        yield ["--reject-cost", "0.05", "-c", "0.01"], []  # rejects everything

    def test_the_numbers_are_those_of_evaluate(self):
        for training, options in self.cases():
            with self.subTest(training=training, options=options):
                self.train("train.csv", *training)
                report = self.report(*options)
                metrics = report["metrics"]
                said = self.run_json("evaluate", "model.json", "test.csv", *options)
                for key in ["rows", "risk", "rejection_rate", "accepted_accuracy", "coverage",
                            "aurc", "excess_aurc", "table", "class_rejection"]:
                    self.assertEqual(metrics[key], said[key], key)
                self.assertEqual(metrics["rejection_interval"],
                                 said["intervals"]["rejection_rate"])
                self.assertEqual(metrics["accuracy_interval"],
                                 said["intervals"]["accepted_accuracy"])
                for rule in ["reject_all", "never_reject", "majority"]:
                    self.assertEqual(metrics["trivial"][rule], said[rule]["risk"], rule)
                self.assertEqual(metrics["trivial"]["majority_label"], said["majority"]["label"])
                self.assertEqual(report["classes"], said["classes"])
                self.assertEqual(report["confidence"], said["confidence"])
                symmetric = "--costs" not in options
                self.assertEqual(report["reject_cost"],
                                 said["costs"]["reject_positive"] if symmetric else None)

    def test_the_curve_is_that_of_evaluate_and_holds_the_point_of_the_model(self):
        for training, options in self.cases():
            with self.subTest(training=training, options=options):
                self.train("train.csv", *training)
                report = self.report(*options)
                self.run_well("evaluate", "model.json", "test.csv", "--curve", "curve.csv",
                              *options)
                header, rows = self.rows_of("curve.csv")
                curve = report["curve"]
                self.assertLessEqual(len(curve), 500)
                self.assertEqual(len(curve), min(len(rows), len(curve)))
                shown = [[point[key] for key in header] for point in curve]
                all_points = [[float(cell) for cell in row] for row in rows]
                self.assertEqual(shown[0], all_points[0])
                self.assertEqual(shown[-1], all_points[-1])
                places = [all_points.index(point) for point in shown]
                self.assertEqual(places, sorted(set(places)))
                answered = round(report["metrics"]["coverage"] * report["metrics"]["rows"])
                if answered > 0:
                    self.assertIn(answered, [point["accepted"] for point in curve])

    def test_the_histogram_counts_the_scores(self):
        self.train("train.csv", "--kernel", "linear", "-c", "100")
        report = self.report()
        histogram = report["histogram"]
        scores = self.scores("model.json", "test.csv")
        labels = [row[-1] for row in self.rows_of("test.csv")[1]]
        for name, label in zip(["negative", "positive"], report["classes"]):
            counts = [0] * (len(histogram["edges"]) - 1)
            for score, own in zip(scores, labels):
                if own == label:
                    counts[sum(edge <= score for edge in histogram["edges"][1:-1])] += 1
            self.assertEqual(histogram[name], counts)
        for edge in [-report["rho"], report["rho"]]:
            self.assertIn(edge, histogram["edges"])

    def test_the_zones_and_outliers_are_those_of_inspect(self):
        self.generate("synthetic1", "noisy.csv", "-n", "4000")
        self.train("noisy.csv", "--kernel", "linear", "-c", "2", "--reject-cost", "0.4")
        report = self.report(data="noisy.csv")
        said = self.run_json("inspect", "model.json", "--points", "noisy.csv", "--quiet")
        self.assertEqual([zone["zone"] for zone in report["zones"]], ZONES)
        for zone in report["zones"]:
            for name, label in zip(["negative", "positive"], report["classes"]):
                self.assertEqual(zone[name], sum(point["zone"] == zone["zone"]
                                                 and point["label"] == label
                                                 for point in said["points"]))
        outliers = [point for point in said["points"] if point["zone"] == "ignored outlier"]
        self.assertGreater(len(outliers), 200)
        self.assertEqual(report["outliers_total"], len(outliers))
        expected = sorted(outliers, key=lambda point: point["margin"])[:200]
        self.assertEqual(report["outliers"],
                         [{key: point[key] for key in ["row", "label", "score"]}
                          for point in expected])

    def test_losses_without_zones_have_none(self):
        self.train("train.csv", "--loss", "hinge")
        report = self.report()
        self.assertNotIn("zones", report)
        self.assertNotIn("outliers", report)

    def test_the_plane_shows_the_scores_and_the_rows(self):
        self.train("train.csv", "-g", "2", "-c", "10")
        report = self.report(data="train.csv")
        plane = report["plane"]
        self.assertFalse(plane["projected"])
        self.assertEqual([plane["x"], plane["y"]], ["x1", "x2"])
        self.assertEqual(plane["rho"], report["rho"])
        columns, rows = plane["columns"], plane["rows"]
        self.assertEqual(len(plane["values"]), columns * rows)
        x0, x1, y0, y1 = plane["box"]
        nodes = [[x0, y0], [x1, y0], [x0, y1], [x1, y1]]
        self.plant("nodes.csv", [["x1", "x2"], *nodes])
        corners = [plane["values"][k] for k in (0, columns - 1, columns * (rows - 1), -1)]
        self.assert_close(corners, self.scores("model.json", "nodes.csv"), 1e-9)
        data = self.rows_of("train.csv")[1]
        self.assertEqual([[x, y, label] for x, y, label, _, _ in plane["points"]],
                         [[float(cell) for cell in row] for row in data])
        model = json.loads(self.path("model.json").read_text(encoding="utf-8"))
        self.assertEqual(sum(point[3] for point in plane["points"]), len(model["vectors"]))

    def test_more_rows_than_can_be_drawn_are_thinned_and_the_text_says_so(self):
        self.train("train.csv")
        plane = self.report()["plane"]
        self.assertEqual(len(plane["points"]), 1500)
        self.assertIn("One row in 2", plane["text"])

    def test_many_features_are_projected_and_one_has_no_plane(self):
        rows = [[n % 7, n * n % 11, n % 3, "ab"[n % 2]] for n in range(40)]
        self.plant("wide.csv", [["a", "b", "c", "label"], *rows])
        self.train("wide.csv")
        plane = self.report(data="wide.csv")["plane"]
        self.assertTrue(plane["projected"])
        self.assertNotIn("values", plane)  # regions would be true on the plane only
        self.assertIn("plane", plane["name"])
        self.assertIn("% of the variance", plane["text"])
        answers = {"a": -1, "reject": 0, "b": 1}
        self.assertEqual([point[4] for point in plane["points"]],
                         [answers[row["prediction"]]
                          for row in self.predictions("model.json", "wide.csv")])
        self.plant("thin.csv", [["a", "label"], *([row[0], row[3]] for row in rows)])
        self.train("thin.csv")
        self.assertNotIn("plane", self.report(data="thin.csv"))

    def test_rounds_are_what_training_reported(self):
        trained = self.run_json("train", "train.csv", "-o", "model.json", "-c", "10")
        self.assertEqual(self.report()["rounds"],
                         [step["objective"] for step in trained["history"]])
        model = json.loads(self.path("model.json").read_text(encoding="utf-8"))
        del model["surfaces"][0]["certificate"]["history"]
        self.plant("old.json", json.dumps(model))
        self.assertEqual(self.report(model="old.json")["rounds"], [])

    def test_the_worklist_has_the_rejected_rows_the_least_certain_first(self):
        self.train("train.csv", "--kernel", "linear", "-c", "100", "--scale", "standard")
        report = self.report()
        worklist = report["worklist"]
        answers = self.predictions("model.json", "test.csv")
        labels = [row[-1] for row in self.rows_of("test.csv")[1]]
        rejected = sorted((abs(float(row["score"])), n) for n, row in enumerate(answers)
                          if row["prediction"] == "reject")
        self.assertEqual(worklist["total"], len(rejected))
        self.assertEqual(sum(worklist["reasons"].values()), len(rejected))
        self.assertEqual([row["case"] for row in worklist["rows"]],
                         [str(n + 1) for _, n in rejected[:200]])
        self.assertEqual(worklist["usual_of"], "training")
        for row, (_, n) in zip(worklist["rows"], rejected):
            self.assertEqual(row["truly"], labels[n])
            self.assertEqual(row["leans_to"], report["classes"][row["score"] > 0])
            for value in row["stands_out"]:
                self.assertIn(value["column"], ["x1", "x2"])
                self.assertGreaterEqual(abs(value["distance"]), 1)

    def test_importance_and_weights_tell_what_the_model_uses(self):
        rows = [[n % 2 * 2 - 1, n * n % 11, n % 3, "ab"[n % 2]] for n in range(60)]
        self.plant("plain.csv", [["decides", "noise", "other", "label"], *rows])
        self.train("plain.csv", "--kernel", "linear", "-c", "10")
        report = self.report(data="plain.csv")
        importance = report["importance"]
        self.assertEqual([importance["rows"], importance["repeats"]], [60, 5])
        self.assertEqual(importance["columns_total"], 3)
        self.assertEqual(importance["columns"][0]["column"], "decides")
        self.assertGreater(importance["columns"][0]["risk"]["mean"], 0.2)
        risks = [column["risk"]["mean"] for column in importance["columns"]]
        self.assertEqual(risks, sorted(risks, reverse=True))
        model = json.loads(self.path("model.json").read_text(encoding="utf-8"))
        self.assertEqual({of["column"]: of["weight"] for of in report["weights"]},
                         dict(zip(["decides", "noise", "other"],
                                  model["surfaces"][0]["weights"])))
        self.train("plain.csv", "-g", "1")
        self.assertIsNone(self.report(data="plain.csv")["weights"])

    def test_the_command_that_the_page_shows_trains_the_same_model(self):
        rows = [[n % 5, n * n % 11, n % 3, ["it's \"a\"", "b"][n * n % 7 > 2]] for n in range(60)]
        self.plant("odd.csv", [["x", "not this", "z", "the label"],
                               *([a, b, c, '"' + d.replace('"', '""') + '"']
                                 for a, b, c, d in rows)])
        reading = ["--label", "the label", "--ignore", "not this"]
        for options in [["-g", "0.5", "-c", "3"], ["--kernel", "linear", "--scale", "standard"],
                        ["--kernel", "polynomial", "-g", "0.1", "--degree", "2", "--coef0", "1"],
                        ["--kernel", "sigmoid", "-g", "0.01", "--scale", "minmax"],
                        ["--loss", "hinge", "-g", "0.5"], ["--mu", "0.5", "--class-weight", 'it\'s "a"=2']]:
            with self.subTest(options=options):
                trained = self.train("odd.csv", *reading, *options, "--reject-cost", "0.3")
                command = self.report(*reading, data="odd.csv")["command"] + " --reject-cost 0.3"
                self.path("odd.csv").rename(self.path("train.csv"))
                program, *arguments = shlex.split(command)
                self.assertEqual(program, "rampart")
                self.run_well(*arguments)
                self.path("train.csv").rename(self.path("odd.csv"))
                again = json.loads(self.path("model.json").read_text(encoding="utf-8"))
                self.assertEqual(again["surfaces"], trained["surfaces"])

    def test_a_title_replaces_the_names_of_the_files(self):
        self.train("train.csv")
        page = self.run_json("report", "model.json", "test.csv", "--title", "<b>May</b>")
        self.assertEqual(page["title"], "<b>May</b>")
        self.assertIn("model.json on test.csv", page["subtitle"])

    def test_facts_are_pairs_of_texts(self):
        self.train("train.csv", "-g", "2")
        page = self.run_json("report", "model.json", "test.csv")
        self.assertTrue(page["generator"].startswith("rampart "))
        self.assertEqual(page["title"], "model.json on test.csv")
        facts = dict(page["models"][0]["facts"])
        self.assertEqual(facts["kernel"], "rbf, gamma 2")
        self.assertEqual(facts["loss"], "double-ramp")
        for pair in page["models"][0]["facts"]:
            self.assertEqual([type(part) for part in pair], [str, str])

    def test_every_number_is_finite_and_labels_may_be_any_text(self):
        rows = [[n % 5, n % 7, ["</script>", 'a "b" ÿ\U0001f600'][n % 2]] for n in range(30)]
        self.plant("odd.csv", [["x", "y", "label"],
                               *([a, b, '"' + c.replace('"', '""') + '"'] for a, b, c in rows)])
        self.train("odd.csv", "--label", "label")

        def refuse(text):
            self.fail(f"a number is {text}")

        text = self.run_well("report", "model.json", "odd.csv", "--json")
        page = json.loads(text, parse_constant=refuse)
        self.assertEqual(sorted(page["models"][0]["classes"]),
                         sorted(["</script>", 'a "b" ÿ\U0001f600']))
        self.assertTrue(all(map(math.isfinite, page["models"][0]["plane"]["values"])))


class Tables(CommandTest):
    """Ids, categories, missing values, and rows that are rejected for themselves."""

    HOSTILE = '</td><script>alert(1)</script>"\n'

    def setUp(self):
        super().setUp()
        self.write("train.csv", 120, lambda n: [f"p{n}", n % 40, "red green blue".split()[n % 3],
                                                "" if n % 10 == 3 else n * n % 17,
                                                "bad" if n % 40 > 20 else "good"])
        self.write("test.csv", 60, lambda n: [self.HOSTILE + str(n), n * 7 % 40,
                                              "violet" if n == 5 else "red green blue".split()[n % 3],
                                              n * n % 17 + 0.5, "bad" if n * 7 % 40 > 20 else "good"],
                   {9: 1})

    def write(self, name, rows, row, empty=None):
        """`empty`: for some rows the column that has no value."""
        made = [list(row(n)) for n in range(rows)]
        for n, column in (empty or {}).items():
            made[n][column] = ""
        with open(self.path(name), "w", newline="", encoding="utf-8") as file:
            csv.writer(file).writerows([["case id", "age", "colour", "lab", "outcome"], *made])

    def report(self, *options):
        self.train("train.csv", "--label", "outcome", "--id", "case id", *options)
        return self.run_json("report", "model.json", "test.csv")["models"][0]

    def test_the_worklist_has_the_ids_and_the_reasons_of_predict(self):
        worklist = self.report("-c", "10")["worklist"]
        self.assertEqual(worklist["case"], "case id")
        answers = self.run_json("evaluate", "model.json", "test.csv")
        self.assertEqual(worklist["reasons"], answers["reasons"])
        listed = {row["case"]: row for row in worklist["rows"]}
        self.assertEqual(listed[self.HOSTILE + "5"]["reason"], "unseen")
        self.assertIn("colour", listed[self.HOSTILE + "5"]["detail"])
        self.assertEqual(listed[self.HOSTILE + "9"]["reason"], "incomplete")
        self.assertIn("age", listed[self.HOSTILE + "9"]["detail"])
        self.assertEqual({row["reason"] for row in worklist["rows"][:2]}, {"unseen", "incomplete"})

    def test_importance_is_that_of_the_columns_of_the_table(self):
        report = self.report("--kernel", "linear", "-c", "10")
        columns = [column["column"] for column in report["importance"]["columns"]]
        self.assertEqual(sorted(columns), ["age", "colour", "lab"])
        self.assertEqual(columns[0], "age")
        self.assertEqual(sorted(weight["column"] for weight in report["weights"]),
                         ["age", "colour = blue", "colour = green", "colour = red", "lab",
                          "lab is missing"])

    def test_rows_that_were_trained_on_are_warned_of(self):
        self.assertIsNone(self.report()["warning"])
        page = self.run_json("report", "model.json", "train.csv")
        self.assertIn("120 of these rows equal rows that were trained on", page["models"][0]["warning"])

    def test_the_command_reads_the_table_as_training_did(self):
        report = self.report("--categorical", "lab", "--missing", "median", "-c", "3")
        trained = json.loads(self.path("model.json").read_text(encoding="utf-8"))
        program, *arguments = shlex.split(report["command"])
        self.assertEqual(program, "rampart")
        self.run_well(*arguments, "--reject-cost", report["own_cost"])
        again = json.loads(self.path("model.json").read_text(encoding="utf-8"))
        self.assertEqual(again, trained)


class SeveralModels(CommandTest):
    def setUp(self):
        super().setUp()
        self.generate("square", "data.csv")
        self.train("data.csv", model="a.json")
        self.train("data.csv", "--kernel", "linear", "--reject-cost", "0.1", model="b.json")

    def test_each_is_what_it_is_alone_at_the_costs_of_the_first(self):
        page = self.run_json("report", "a.json", "b.json", "data.csv")
        self.assertEqual(page["title"], "a.json, b.json on data.csv")
        self.assertEqual([model["name"] for model in page["models"]], ["a.json", "b.json"])
        for model in page["models"]:
            alone = self.run_json("report", model["name"], "data.csv", "--d", "0.2")["models"][0]
            self.assertEqual({**alone, "name": model["name"]}, model)
        risks = [model["metrics"]["risk"] for model in page["models"]]
        first, second = page["compared"]
        self.assertEqual(first, {"different_answers": 0, "difference": 0, "interval": [0, 0]})
        self.assertAlmostEqual(second["difference"], risks[1] - risks[0])
        answers = [[row["prediction"] for row in self.predictions(name, "data.csv")]
                   for name in ["a.json", "b.json"]]
        self.assertEqual(second["different_answers"], sum(map(str.__ne__, *answers)))
        low, high = second["interval"]
        self.assertLess(low, second["difference"])
        self.assertLess(second["difference"], high)

    def test_equal_names_are_told_apart_by_their_folders(self):
        self.path("one").mkdir()
        self.path("a.json").rename(self.path("one", "b.json"))
        page = self.run_json("report", "one/b.json", "b.json", "data.csv")
        self.assertEqual([model["name"] for model in page["models"]], ["one/b.json", "b.json"])

    def test_what_cannot_be_compared(self):
        rows = self.path("data.csv").read_bytes()
        self.plant("words.csv", [["x", "label"], *([n, "no yes".split()[n % 2]] for n in range(9))])
        self.train("words.csv", model="words.json")
        for arguments, code, word in [
            (["report", "a.json", "b.json", "-", "--json"], 2, "standard input"),
            (["report", "a.json", "-", "-", "--json"], 2, "standard input"),
            (["report", "-", "-", "data.csv", "--json"], 2, "standard input"),
            (["report", "a.json", "words.json", "data.csv", "--json"], 1, "other classes"),
        ]:
            with self.subTest(arguments=arguments):
                self.assert_refused(self.try_run(*arguments, stdin=rows), code, word)


class Files(CommandTest):
    def setUp(self):
        super().setUp()
        self.generate("square", "data.csv")
        self.train("data.csv")
        self.before = self.files()

    def test_json_writes_no_file(self):
        self.run_json("report", "model.json", "data.csv")
        self.assertEqual(self.files(), self.before)

    def test_the_same_input_gives_the_same_bytes(self):
        one = self.run_well("report", "model.json", "data.csv", "--json", "--threads", "1")
        self.assertEqual(self.run_well("report", "model.json", "data.csv", "--json"), one)

    def test_standard_input_is_read(self):
        rows = self.path("data.csv").read_bytes()
        page = self.run_json("report", "model.json", "-", stdin=rows)
        self.assertEqual(page["title"], "model.json on standard input")
        expected = self.run_json("report", "model.json", "data.csv")
        self.assertEqual(page["models"][0]["metrics"], expected["models"][0]["metrics"])

    def test_bad_use(self):
        for arguments, code, word in [
            (["report"], 2, "MODEL"),
            (["report", "model.json"], 2, "DATA"),
            (["report", "-", "-", "--json"], 2, "standard input"),
            (["report", "model.json", "data.csv", "--json", "-o", "-"], 2, "standard output"),
            (["report", "model.json", "data.csv", "--json", "--confidence", "1"], 2, "confidence"),
            (["report", "model.json", "data.csv", "--json", "--reject-cost", "0.7"], 2, "0.7"),
            (["report", "none.json", "data.csv", "--json"], 1, "none.json"),
            (["report", "model.json", "none.csv", "--json"], 1, "none.csv"),
            (["report", "data.csv", "data.csv", "--json"], 1, "data.csv"),
        ]:
            with self.subTest(arguments=arguments):
                self.assert_refused(self.try_run(*arguments), code, word)
                self.assertEqual(self.files(), self.before)


class WideData(CommandTest):
    """A page costs what the rows cost that it is about, however many columns they could have."""

    def setUp(self):
        super().setUp()
        if self.limited("--version").returncode != 0:
            self.skipTest("needs more address space than that: built with a sanitizer")

    def limited(self, *arguments):
        def limit():
            resource.setrlimit(resource.RLIMIT_AS, (GIGABYTE, GIGABYTE))
        return subprocess.run([RAMPART, *arguments], cwd=self.folder, preexec_fn=limit,
                              capture_output=True, text=True, timeout=LONGEST, check=False)

    def plane(self, data, *options):
        self.run_well("train", data, "-o", "model.json", *options)
        done = self.limited("report", "model.json", data, "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertLess(len(done.stdout), 1_000_000)
        return json.loads(done.stdout)["models"][0]["plane"]

    def test_two_rows_of_sixteen_million_columns(self):
        self.plant("wide.svm", "+1 1:1 16777216:2\n-1 1:-1 5:1\n")
        self.plant("same.svm", "+1 1:1 3:2\n-1 1:-1 2:1\n")
        for kernel in [["--kernel", "linear"], ["-g", "0.5"],
                       ["--kernel", "polynomial", "-g", "1"]]:
            options = [*kernel, "--scale", "none"]
            with self.subTest(options=options):
                wide, same = self.plane("wide.svm", *options), self.plane("same.svm", *options)
                for place in [0, 1]:
                    self.assert_close([point[place] for point in wide["points"]],
                                      [point[place] for point in same["points"]], 1e-9)
                self.assert_close(wide["box"], same["box"], 1e-9)

    def test_few_dense_rows_of_many_columns(self):
        numbers = random.Random(1)
        self.plant("wide.csv", [["y", *(f"x{j}" for j in range(50_000))],
                                *([n % 2, *(round(numbers.gauss(n % 2, 1), 2)
                                            for _ in range(50_000))] for n in range(12))])
        self.run_well("train", "wide.csv", "-o", "model.json", "--label", "y", "-c", "1")
        done = self.limited("report", "model.json", "wide.csv", "--label", "y", "--json")
        self.assertEqual(done.returncode, 0, done.stderr)
        plane = json.loads(done.stdout)["models"][0]["plane"]
        left, right = ({point[2] for point in plane["points"] if (point[0] > 0) == side}
                       for side in [False, True])
        self.assertEqual(sorted([*left, *right]), [-1, 1])  # the first axis tells the classes apart


if __name__ == "__main__":
    unittest.main()
