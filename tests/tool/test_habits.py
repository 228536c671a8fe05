#!/usr/bin/env python3
"""What people type out of habit: help as a command, the letters of LIBSVM, options from a file."""

import json
import unittest

from rampart_command import CommandTest, facts_of


class Help(CommandTest):
    def test_as_a_command_is_that_of_the_option(self):
        self.assertEqual(self.run_well("help"), self.run_well("--help"))
        for command in ["train", "cv", "help"]:
            self.assertEqual(self.run_well("help", command), self.run_well(command, "--help"))

    def test_for_a_command_that_is_none_suggests_the_nearest(self):
        self.assert_refused(self.try_run("help", "tran"), 2, "'tran'", "did you mean 'train'?")


class Order(CommandTest):
    """Options may stand before DATA, and take one word each time."""

    def setUp(self):
        super().setUp()
        rows = [[n % 7, n * n % 11, "abc"[n % 3], "p" if n * n % 11 + n % 7 > 7 else "q"] for n in range(60)]
        self.plant("data.csv", [["u", "v", "ward", "y"], *rows])

    def test_options_that_may_be_repeated_leave_data_alone(self):
        for options in [["--ignore", "ward"], ["--ignore", "ward,v"], ["--class-weight", "p=2"],
                        ["--missing-values", "-99"], ["--categorical", "u"],
                        ["--costs", "1,1,.2,.2"], ["--costs", "1", "1", ".2", ".2"],
                        ["--d", "0.1"], ["--ignore", "v", "--ignore", "ward"]]:
            with self.subTest(options=options):
                before = self.run_well("train", *options, "data.csv", "-o", "-")
                self.assertEqual(before, self.run_well("train", "data.csv", "-o", "-", *options))
        self.run_well("tune", "--ignore", "ward", "data.csv", "-o", "m.json", "-c", "1", "-g", "1")
        self.assertEqual(self.run_well("predict", "--keep", "ward", "m.json", "data.csv"),
                         self.run_well("predict", "m.json", "data.csv", "--keep", "ward"))
        self.run_well("cv", "--loss", "hinge", "data.csv", "-v", "2", "--repeats", "1")

    def test_predict_as_svm_predict_is_called_hears_of_the_order(self):
        self.assert_refused(self.try_run("predict", "data.csv", "m.json", "out.csv"), 2,
                            "predict takes MODEL DATA", "-o OUT")

    def test_tune_says_what_it_read(self):
        text = self.run_well("tune", "data.csv", "-o", "m.json", "-c", "1", "-g", "1")
        first = self.run_well("train", "data.csv", "-o", "m.json").splitlines()[0]
        self.assertIn("label column 'y'", first)
        self.assertEqual(text.splitlines()[0], first)


class LettersOfLibsvm(CommandTest):
    def refuse(self, arguments, *words, without=()):
        with self.subTest(arguments=arguments):
            done = self.try_run(*arguments.split())
            self.assert_refused(done, 2, *words)
            for word in without:
                self.assertNotIn(word, done.stderr)

    def test_get_the_word_for_them(self):
        for command in ["train data.svm -o m", "cv data.svm", "tune data.svm -o m"]:
            for number, kernel in enumerate(["linear", "polynomial", "rbf", "sigmoid", "precomputed"]):
                self.refuse(f"{command} -t {number}", f"-t {number} is --kernel {kernel}")
            self.refuse(f"{command} -s 0", "-s 0 is --loss hinge")
            self.refuse(f"{command} -s 3", "no nu, one-class or regression", without=["hinge"])
            self.refuse(f"{command} -b 1", "no probabilities")
            self.refuse(f"{command} -w1 5", "-w1 5 is --class-weight 1=5")
            self.refuse(f"{command} -w-1 0.5", "-w-1 0.5 is --class-weight -1=0.5")
            self.refuse(f"{command} -m 100", "-m 100 is --cache-mb 100")
            self.refuse(f"{command} -d 2", "-d 2 is --degree 2")
            self.refuse(f"{command} -d 0.1", "-d 0.1 is --reject-cost 0.1")
            self.refuse(f"{command} -r 1", "-r 1 is --coef0 1")
            self.refuse(f"{command} -n 0.5", "there is no nu")
            self.refuse(f"{command} -p 0.1", "there is no regression")
        self.refuse("train data.svm -v 5", "-v 5 is a command of its own, rampart cv DATA -v 5")
        self.refuse("predict test.svm m out -b 1", "no probabilities")
        self.refuse("predict m test.svm -t 2", "belongs to training (--kernel)")

    def test_as_svm_train_is_called_are_all_answered_at_once(self):
        self.refuse("train -s 0 -t 2 -c 4 -w1 5 -q data.svm model", "-s 0 is --loss hinge; -t 2 is "
                    "--kernel rbf; -w1 5 is --class-weight 1=5; see rampart train --help")

    def test_what_was_typed_already_is_not_suggested_again(self):
        self.refuse("train data.svm -o m --kernel rbf -t 2", "--kernel rbf, which is there already")
        self.refuse("train data.svm -o m --kernel=rbf -t 2", "--kernel rbf, which is there already")
        self.refuse("train data.svm -o m --kernel rbf -t 0", "-t 0 is --kernel linear; see")

    def test_that_mean_the_same_here_stay_options(self):
        self.generate("square", "data.csv")
        self.run_well("train", "data.csv", "-o", "m.json", "-c", "2", "-g", "1", "-e", "0.01", "-q")
        self.run_well("cv", "data.csv", "-v", "2", "--repeats", "1")
        self.assert_refused(self.try_run("generate", "square", "-t", "2"), 2, "no option -t")

    def test_the_suggestions_work(self):
        self.generate("square", "data.csv")
        self.run_well("train", "data.csv", "-o", "m.json", "--loss", "hinge", "--kernel", "polynomial",
                      "--degree", "2", "--coef0", "1", "--class-weight", "1=5", "--class-weight",
                      "-1=0.5", "--cache-mb", "100", "--reject-cost", "0.1")


class ConfigFile(CommandTest):
    def setUp(self):
        super().setUp()
        self.generate("square", "data.csv")

    def same_model(self, config, *options, typed=()):
        """Training with a file gives the model of these options."""
        self.plant("rampart.ini", config)
        self.train("data.csv", *options, model="expected.json")
        self.train("data.csv", "--config", "rampart.ini", *typed, model="found.json")
        self.assertEqual(self.path("found.json").read_bytes(),
                         self.path("expected.json").read_bytes())

    def test_holds_options_of_every_command_and_of_one(self):
        self.same_model("# what we always use\nscale = standard\n\n[train]\nC = 4  # not 1\n"
                        "gamma = '0.5'\nquiet\n[cv]\nC = 7\nrepeats = 3\n",
                        "--scale", "standard", "-c", "4", "-g", "0.5")

    def test_takes_lists_pairs_and_letters(self):
        self.same_model("c = 4\ncosts = 1,3,0.3,0.2\nclass-weight = 1=2\nclass-weight = -1=3\n",
                        "-c", "4", "--costs", "1,3,0.3,0.2", "--class-weight", "1=2", "--class-weight",
                        "-1=3")
        self.plant("rampart.ini", "[cv]\nreject-cost = 0.1,0.2\nrepeats = 1\nfolds = 2\njson\n")
        report = json.loads(self.run_well("cv", "data.csv", "--config", "rampart.ini"))
        self.assertEqual([result["reject_cost"] for result in report["results"]], [0.1, 0.2])

    def test_what_is_typed_wins(self):
        self.same_model("C = 4\nscale = minmax\n", "-c", "2", "--scale", "standard",
                        typed=["-c2", "--scale=standard"])
        self.same_model("reject-cost = 0.1\n", "--costs", "1,3,0.3,0.2",
                        typed=["--costs", "1,3,0.3,0.2"])
        self.same_model("class-weight = 1=2\n", "--class-weight", "-1=3",
                        typed=["--class-weight", "-1=3"])

    def test_may_name_what_is_required(self):
        self.plant("rampart.ini", "output = model.json\n")
        self.run_well("--config=rampart.ini", "train", "data.csv")
        self.assertIn("model.json", self.files())

    def test_that_is_wrong_is_refused_with_its_line(self):
        for config, words in [
            ("C = 2\nscle = minmax\n", ["rampart.ini:2", "'scle'", "did you mean 'scale'?"]),
            ("[train]\nfolds = 2\n", ["rampart.ini:2: rampart train has no option 'folds'"]),
            ("[tran]\nC = 2\n", ["rampart.ini:1", "'tran'", "did you mean 'train'?"]),
            ("[train\n", ["rampart.ini:1", "lacks its ]"]),
            ("\n\nC\n", ["rampart.ini:3: C needs a value"]),
            ("C = 2\nC = 3\n", ["rampart.ini:2: C has a value already"]),
            ("C = two\n", ["'two' is not a number"]),
            ("config = other.ini\n", ["rampart.ini:1", "'config'"]),
            ("help\n", ["rampart.ini:1", "'help'"]),
            ("DATA = x\n", ["rampart.ini:1", "'DATA'"]),
            ("\0\1\2\xff", ["rampart.ini:1"]),
            ("x" * 3000000, ["rampart.ini"]),
            ("# \n" * 1000000, ["rampart.ini: more than 1 MiB"]),
        ]:
            with self.subTest(config=config[:40]):
                self.plant("rampart.ini", config)
                self.assert_refused(self.try_run("train", "data.csv", "-o", "model.json", "--config",
                                                 "rampart.ini"), 2, *words)
        self.assertNotIn("model.json", self.files())

    def test_that_is_not_there_is_refused(self):
        for name in ["none.ini", "."]:
            self.assert_refused(self.try_run("train", "data.csv", "-o", "m", "--config", name), 1,
                                f"{name}: ")
        self.assert_refused(self.try_run("train", "data.csv", "-o", "m", "--config"), 2, "--config")


class BalancedClasses(CommandTest):
    def setUp(self):
        super().setUp()
        self.generate("square", "all.csv")
        header, rows = self.rows_of("all.csv")
        few = [row for row in rows if row[2] == "1"][:50]
        many = [row for row in rows if row[2] == "-1"][:150]
        self.plant("data.csv", [header, *few, *many])

    def test_are_weighted_by_n_over_twice_the_class(self):
        model = self.train("data.csv", "--class-weight", "balanced")
        self.assertEqual(facts_of(model)["class_weights"], {"-1": 200 / 300, "1": 2.0})
        words = self.path("model.json").read_bytes()
        self.train("data.csv", "--class-weight", "1=2", "--class-weight", f"-1={200 / 300!r}")
        self.assertEqual(self.path("model.json").read_bytes(), words)

    def test_in_folds_are_those_of_the_rows_that_train(self):
        folds = ["-v", "3", "--repeats", "1", "--stratify", "no"]
        report = self.run_json("cv", "data.csv", "--class-weight", "balanced", *folds, "-o",
                               "folds.csv", "--assignments", "rows.csv")
        header, rows = self.rows_of("data.csv")
        _, dealt = self.rows_of("rows.csv")
        names, found = self.rows_of("folds.csv")
        differ = set()
        for fold in ["1", "2", "3"]:
            training = [row for row, (_, to) in zip(rows, dealt) if to != fold]
            self.plant("training.csv", [header, *training])
            positives = sum(row[2] == "1" for row in training)
            weights = [len(training) / (2 * positives),
                       len(training) / (2 * (len(training) - positives))]
            model = self.train("training.csv", "--class-weight", f"1={weights[0]!r}",
                               "--class-weight", f"-1={weights[1]!r}")
            line = dict(zip(names, found[int(fold) - 1]))
            self.assertEqual(float(line["objective"]), facts_of(model)["training"]["objective"])
            differ.add(weights[0])
        self.assertGreater(len(differ), 1, "every fold has the same share: this shows nothing")
        self.assertEqual(len(report["results"]), 1)

    def test_with_weighted_rows_count_the_weights(self):
        header, rows = self.rows_of("data.csv")
        self.plant("weighted.csv", [["w", *header]] + [[2 if row[2] == "1" else 1, *row]
                                                       for row in rows])
        model = self.train("weighted.csv", "--weight", "w", "--class-weight", "balanced")
        self.assertEqual(facts_of(model)["class_weights"], {"-1": 250 / 300, "1": 250 / 200})

    def test_are_another_problem_for_a_journal(self):
        tune = ["tune", "data.csv", "-o", "tuned.json", "-c", "1", "-g", "1", "-v", "2", "--journal",
                "journal"]
        self.run_well(*tune, "--class-weight", "balanced")
        self.assert_refused(self.try_run(*tune), 1, "another run")
        done = self.try_run(*tune, "--class-weight", "balanced")
        self.assertIn("2 trainings are there already", done.stderr)

    def test_go_with_no_other_weights(self):
        self.assert_refused(self.try_run("train", "data.csv", "-o", "m", "--class-weight", "balanced",
                                         "--class-weight", "1=2"), 2, "balanced", "not together")
        self.assert_refused(self.try_run("train", "data.csv", "-o", "m", "--class-weight", "even"), 2,
                            "must be LABEL=NUMBER or balanced")


if __name__ == "__main__":
    unittest.main()
