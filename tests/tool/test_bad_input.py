#!/usr/bin/env python3
"""Whatever is wrong with data or options: one line that names it, and no file is touched."""

import gzip
import lzma
import random
import re
import unittest

from rampart_command import CommandTest

GOOD = "a,b,y\n1,2,no\n2,1,yes\n3,5,no\n4,4,yes\n"
MANY_ROWS = "".join(f"{n},{n * n % 17},{'yes' if n % 3 else 'no'}\n" for n in range(3000)).encode()
NOISE = bytes(random.Random(1).randrange(256) for _ in range(4000))

# What a file holds, and what the message says besides the file's name.
BAD_FILES = {
    "empty.csv": ("", ["no rows"]),
    "empty.svm": ("", ["no rows"]),
    "blank.csv": ("\n \n\n", ["no rows"]),
    "header.csv": ("a,b,y\n", ["no rows"]),
    "comments.svm": ("# nothing\n# here\n", ["no rows"]),
    "one_row.csv": ("a,y\n1,no\n", ["two classes are needed"]),
    "one_class.csv": ("a,y\n1,no\n2,no\n", ["'no'", "two classes are needed"]),
    "one_class.svm": ("1 1:1\n1 1:2\n", ["'1'", "two classes are needed"]),
    "three_classes.csv": ("a,y\n1,no\n2,yes\n3,maybe\n", [":4:", "third class 'maybe'"]),
    "three_classes.svm": ("1 1:1\n2 1:2\n3 1:4\n", [":3:", "third class '3'"]),
    "nan.svm": ("1 1:1\n-1 1:nan\n", [":2:", "feature 1", "'nan'", "finite"]),
    "inf.csv": ("a,y\n1,no\n-inf,yes\n", [":3:", "column 'a'", "'-inf'", "finite"]),
    "inf.svm": ("1 1:1\n-1 1:inf\n", [":2:", "feature 1", "'inf'", "finite"]),
    "overflow.csv": ("a,y\n1,no\n1e999,yes\n", [":3:", "column 'a'", "'1e999'"]),
    "overflow.svm": ("1 1:1\n-1 1:1e999\n", [":2:", "feature 1", "'1e999'"]),
    "percent.csv": ("a,y\n1,no\n12%,yes\n", [":3:", "column 'a'", "'12%'", "--categorical"]),
    "date.csv": ("a,y\n1,no\n2024-05-31,yes\n", [":3:", "'2024-05-31'", "a date"]),
    "names.csv": ("a,y\n" + "".join(f"n{n},{n % 2}\n" for n in range(200)),
                  [":102:", "column 'a'", "'n100'", "names or ids", "--id, --ignore"]),
    "stray.csv": ("a,y\n" + "".join(f"{n},{n % 2}\n" for n in range(200)) + "oops,1\n",
                  [":202:", "column 'a'", "'oops'", "not a number", "--missing-values"]),
    "no_label.csv": ("a,y\n1,no\n2,\n3,yes\n4,?\n", ["2 rows have no label: lines 3, 5"]),
    "no_values.csv": ("a,b,y\n1,,no\n2,NA,yes\n", ["column 'b'", "all values", "--ignore"]),
    "twice.csv": ("a,a,y\n1,2,no\n2,1,yes\n", ["two columns are called 'a'", "--header"]),
    "table.parquet": (b"PAR1\x15\x04\x15\0\0\0\0\0", ["Parquet", "table.parquet table.csv"]),
    "table.json": ('[{"a": 1, "y": 2}]', ["JSON", "read_json", "table.json table.csv"]),
    "head.arff": ("@relation r\n@attribute a real\n", ["ARFF", "@data"]),
    "value.arff": ("@relation r\n@attribute a {x,z}\n@attribute y {0,1}\n@data\nx,0\nw,1\n",
                   [":6:", "'w'", "declares"]),
    "text.svm": ("1 1:1\n-1 1:abc\n", [":2:", "feature 1", "'abc'", "not a number"]),
    "decimal_comma.csv": ("a;y\n1;no\n1,5;yes\n", [":3:", "'1,5'", "comma"]),
    "short_row.csv": ("a,b,y\n1,2,no\n1,yes\n", [":3:", "2 fields", "3"]),
    "long_row.csv": ("a,b,y\n1,2,no\n1,2,3,yes\n", [":3:", "4 fields", "3"]),
    "unfinished_quote.csv": ('a,y\n1,no\n"2,yes\n', ["quote"]),
    "index_0.svm": ("1 1:1\n-1 0:1\n", [":2:", "feature 0", "start at 1"]),
    "index_negative.svm": ("1 1:1\n-1 -3:1\n", [":2:", "feature -3", "start at 1"]),
    "index_decreasing.svm": ("1 1:1\n-1 5:1 3:1\n", [":2:", "feature 3 after feature 5"]),
    "index_twice.svm": ("1 1:1\n-1 5:1 5:1\n", [":2:", "feature 5 after feature 5"]),
    "index_huge.svm": ("1 1:1\n-1 1000000000000000000:1\n", [":2:", "1000000000000000000"]),
    "index_beyond_64_bits.svm": ("1 1:1\n-1 1" + 30 * "0" + ":1\n", [":2:", 30 * "0"]),
    "index_fraction.svm": ("1 1:1\n-1 1.5:1\n", [":2:", "1.5", "whole number"]),
    "no_colon.svm": ("1 1:1\n-1 2\n", [":2:", "'2'"]),
    "noise.csv": (NOISE, []),
    "noise.svm": (NOISE, []),
    "noise_without_nul.dat": (NOISE.replace(b"\0", b""), []),
    "utf16.csv": (GOOD.encode("utf-16"), ["UTF-16"]),
    "truncated.csv.gz": (gzip.compress(MANY_ROWS)[:5000], ["gzip", "end too early"]),
    "header_only.csv.gz": (gzip.compress(MANY_ROWS)[:10], ["gzip", "end too early"]),
    "damaged.csv.gz": (gzip.compress(MANY_ROWS)[:-6] + b"abcdef", ["gzip", "damaged"]),
    "truncated.csv.xz": (lzma.compress(MANY_ROWS)[:-2000], ["xz", "end too early"]),
    "damaged.csv.xz": (lzma.compress(MANY_ROWS)[:-20] + 20 * b"a", ["xz", "damaged"]),
    "latin1.csv": (GOOD.replace("no", "nö").encode("latin-1"), ["UTF-8"]),
    "overflowing_kernel.csv": ("a,b,y\n1e200,1,no\n-1e200,2,yes\n1e199,3,no\n2,2,yes\n",
                               ["--scale"]),
}

# Options of train on good data: exit code, and what the message names.
BAD_OPTIONS = [
    ("--reject-cost 0", 2, ["reject cost d = 0", "greater than 0", "at most 0.5"]),
    ("--reject-cost 0.6", 2, ["reject cost d = 0.6", "at most 0.5"]),
    ("--reject-cost nan", 2, ["reject cost d = nan", "at most 0.5"]),
    ("--d -0.1", 2, ["reject cost d = -0.1"]),
    ("--d abc", 2, ["--reject-cost", "'abc'", "must be a number"]),
    ("--d 0,2", 2, ["reject cost d = 0:", "greater than 0"]),  # two costs, the first of them 0
    ("--d", 2, ["--reject-cost"]),
    ("-c 0", 2, ["C = 0", "> 0"]),
    ("-c -1", 2, ["C = -1", "> 0"]),
    ("-c nan", 2, ["C = nan", "> 0"]),
    ("-c inf", 2, ["C = inf", "finite"]),
    ("-c x", 2, ["--C", "'x'", "not a number"]),
    ("--mu 0", 2, ["mu = 0", "greater than 0"]),
    ("--mu 1.5", 2, ["mu = 1.5", "at most 1"]),
    ("--mu nan", 2, ["mu = nan"]),
    ("-g -1", 2, ["gamma = -1", "> 0"]),
    ("-g 0", 2, ["gamma = 0", "> 0"]),
    ("-g nan", 2, ["gamma = nan", "> 0"]),
    ("-g wide", 2, ["gamma = wide", "scale", "auto"]),
    ("--kernel polynomial --degree 0", 2, ["degree = 0", "1"]),
    ("--degree 101", 2, ["degree = 101", "100"]),
    ("--degree -2", 2, ["--degree", "'-2'", "whole number"]),
    ("--degree 2.5", 2, ["--degree", "'2.5'", "whole number"]),
    ("--coef0 nan", 2, ["coef0 = nan", "finite"]),
    ("-e 0", 2, ["tolerance = 0", "> 0"]),
    ("-e nan", 2, ["tolerance = nan", "> 0"]),
    ("--threads -1", 2, ["--threads", "'-1'", "whole number"]),
    ("--threads two", 2, ["--threads", "'two'", "whole number"]),
    ("--cache-mb -5", 2, ["cache-mb = -5"]),
    ("--cache-mb nan", 2, ["cache-mb = nan"]),
    ("--max-steps 0", 2, ["max steps = 0", "at least 1"]),
    ("--max-steps -1", 2, ["--max-steps", "'-1'", "whole number"]),
    ("--max-seconds 0", 2, ["max seconds = 0", "> 0"]),
    ("--max-seconds -1", 2, ["max seconds = -1", "finite"]),
    ("--max-seconds inf", 2, ["max seconds = inf", "finite"]),
    ("--max-seconds soon", 2, ["--max-seconds", "'soon'", "not a number"]),
    ("--max-rounds 0", 2, ["max rounds = 0", "at least 1"]),
    ("--max-rounds -1", 2, ["--max-rounds", "'-1'", "whole number"]),
    ("--class-weight yes", 2, ["class weight yes", "LABEL=NUMBER"]),
    ("--class-weight yes=much", 2, ["class weight yes=much", "LABEL=NUMBER"]),
    ("--class-weight yes=0", 2, ["class weight yes=0", "> 0"]),
    ("--class-weight yes=-2", 2, ["class weight yes=-2", "> 0"]),
    ("--class-weight yes=inf", 2, ["class weight yes=inf", "finite"]),
    ("--class-weight yes=2 --class-weight yes=3", 2, ["class weight yes=3", "already"]),
    ("--class-weight maybe=2", 2, ["class weight maybe=2", "'no'", "'yes'"]),
    ("--costs 1,1,0.2", 2, ["--costs", "4", "3"]),
    ("--costs 1,1,0.2,0.2,0.2", 2, ["--costs", "4", "5"]),
    ("--costs 1,1,x,0.2", 2, ["--costs", "'x'", "not a number"]),
    ("--costs 1,1,0.6,0.6", 2, ["reject cost d = 0.6", "at most 0.5"]),
    ("--costs 1,2,3,0.1", 2, ["rejecting a positive = 3", "less than"]),
    ("--costs 1,2,0.1,3", 2, ["rejecting a negative = 3", "less than"]),
    ("--costs 1,2,1.5,0.5", 2, ["REJECT_POS/FN + REJECT_NEG/FP = 1.25", "at most 1"]),
    ("--costs 0,1,0.1,0.1", 2, ["false positive = 0", "> 0"]),
    ("--costs nan,1,0.1,0.1", 2, ["false positive = nan", "> 0"]),
    ("--costs 1,1,0.2,0.2 --d 0.2", 2, ["--costs", "--reject-cost"]),
    ("--costs 1,5,0.2,0.2 --loss hinge --band-folds 0", 2, ["costs", "double ramp"]),
    ("--costs 1,5,0.2,0.2 --loss double-hinge", 2, ["costs", "double ramp"]),
    ("--kernel cubic", 2, ["--kernel", "'cubic'", "polynomial"]),
    ("--loss squared", 2, ["--loss", "'squared'", "double-ramp"]),
    ("--scale log", 2, ["--scale", "'log'", "minmax"]),
    ("--precision half", 2, ["--precision", "'half'", "single"]),
    ("--format xlsx", 2, ["--format", "'xlsx'", "libsvm"]),
    ("--id c", 1, ["good.csv", "no column 'c'"]),
    ("--id y --label y", 1, ["good.csv", "column 'y'", "another part"]),
    ("--categorical y", 1, ["good.csv", "column 'y'", "no feature"]),
    ("--max-categories many", 2, ["--max-categories", "'many'", "whole number"]),
    ("--missing guess", 2, ["--missing", "guess"]),
    ("--header maybe", 2, ["--header", "maybe"]),
    ("--delimiter ab", 2, ["--delimiter"]),
    ("--none", 2, ["--none"]),
    ("more", 2, ["more"]),
    ("--kernel precomputed --scale minmax", 2, ["precomputed", "scale"]),
    ("--label c", 1, ["good.csv", "no column 'c'", "a, b, y"]),
    ("--label 4", 1, ["good.csv", "no column '4'"]),
    ("--label a", 1, ["good.csv"]),
    ("--weight c", 1, ["good.csv", "no column 'c'"]),
    ("--ignore c", 1, ["good.csv", "no column 'c'"]),
    ("--ignore a,b", 1, ["good.csv", "no features"]),
    ("--positive maybe", 1, ["good.csv", "'maybe'", "'no'", "'yes'"]),
    ("--start none.json", 1, ["none.json", "No such file"]),
    ("--start good.csv", 1, ["good.csv", "not a model"]),
]


class BadInput(CommandTest):
    def assert_train_refuses(self, data, options, code, words):
        """Neither without nor with an older output file is any file touched."""
        before = self.files()
        done = self.try_run("train", data, "-o", "out.json", *options)
        self.assert_refused(done, code, *words)
        self.assertEqual(self.files(), before)
        self.plant("out.json", "precious")
        again = self.try_run("train", data, "-o", "out.json", *options)
        self.assertEqual((again.returncode, again.stderr), (done.returncode, done.stderr))
        self.assertEqual(self.path("out.json").read_text(encoding="utf-8"), "precious")
        self.path("out.json").unlink()
        self.assertEqual(self.files(), before)

    def test_files_are_refused_by_name_and_line(self):
        for name, (content, words) in BAD_FILES.items():
            with self.subTest(file=name):
                self.plant(name, content)
                named = [] if name.startswith("overflowing") else [name]
                as_it_is = ["--scale", "none"]
                self.assert_train_refuses(name, as_it_is, 1, [*named, *words])
                self.assert_train_refuses(name, ["--kernel", "linear", *as_it_is], 1,
                                          [*named, *words])

    def test_an_output_that_is_an_input_is_refused_and_kept(self):
        self.generate("square", "data.csv")
        self.train("data.csv")
        before = self.path("data.csv").read_bytes()
        for arguments in [("train", "data.csv", "-o", "data.csv"),
                          ("train", "data.csv", "-o", "./data.csv"),
                          ("predict", "model.json", "data.csv", "-o", "data.csv"),
                          ("predict", "model.json", "data.csv", "-o", "model.json"),
                          ("convert", "data.csv", "data.csv")]:
            with self.subTest(arguments=arguments):
                self.assert_refused(self.try_run(*arguments), 2, "would be lost")
                self.assertEqual(self.path("data.csv").read_bytes(), before)

    def test_missing_values_are_refused_on_request(self):
        self.plant("cell.csv", "a,b,y\n1,2,no\n1,,yes\n")
        self.plant("cells.csv", "a,b,y\n1,?,no\n1,NA,yes\n,3,yes\n")
        refuse = ["--missing", "refuse"]
        self.assert_train_refuses("cell.csv", refuse, 1, [":3:", "column 'b'", "missing"])
        self.assert_train_refuses("cells.csv", refuse, 1, [
            ":2:", "3 missing values", "column 'a': 1", "column 'b': 2"])

    def test_options_are_refused_by_name_value_and_rule(self):
        self.plant("good.csv", GOOD)
        for options, code, words in BAD_OPTIONS:
            with self.subTest(options=options):
                self.assert_train_refuses("good.csv", options.split(" "), code, words)

    def test_options_for_tables_are_refused_with_libsvm_files(self):
        self.plant("good.svm", "1 1:1\n-1 1:2\n1 1:1\n-1 1:3\n")
        for option, value in [("--label", "1"), ("--id", "1"), ("--ignore", "1"), ("--weight", "1"),
                              ("--categorical", "1"), ("--max-categories", "100"),
                              ("--missing-values", "-1"), ("--missing", "indicator"),
                              ("--missing", "refuse"), ("--header", "no"), ("--delimiter", "tab")]:
            with self.subTest(option=option):
                self.assert_train_refuses("good.svm", [option, value], 1,
                                          ["good.svm", "this is a LIBSVM file", f"({option})"])
        self.train("good.svm")
        for value in ["1", "all"]:
            self.assert_refused(self.try_run("predict", "model.json", "good.svm", "--keep", value),
                                1, "good.svm", "this is a LIBSVM file", "(--keep)")

    def test_weights_are_numbers_that_are_not_negative(self):
        for weight in ["-1", "nan", "inf", "much", ""]:
            with self.subTest(weight=weight):
                self.plant("data.csv", [["a", "w", "y"], [1, 1, "no"], [2, weight, "yes"]])
                self.assert_train_refuses("data.csv", ["--weight", "w"], 1,
                                          ["data.csv:3:", "column 'w'", f"'{weight}'"])

    def test_a_class_without_weight_is_no_class(self):
        self.plant("data.csv", [["a", "w", "y"], [1, 1, "no"], [2, 0, "yes"]])
        self.assert_train_refuses("data.csv", ["--weight", "w"], 1, ["data.csv", "'yes'", "weight"])

    def test_weights_are_for_csv(self):
        self.plant("data.svm", "1 1:1\n-1 1:2\n")
        self.assert_train_refuses("data.svm", ["--weight", "w"], 1, ["data.svm", "--weight", "CSV"])

    def test_a_precomputed_kernel_is_square_and_symmetric(self):
        self.plant("wide.csv", [[1, 0, 0, "no"], [0, 1, 0, "yes"]])
        self.plant("lopsided.csv", [[1, 0.5, "no"], [0.25, 1, "yes"]])
        precomputed = ["--kernel", "precomputed"]
        self.assert_train_refuses("wide.csv", precomputed, 1, ["precomputed", "2 rows", "3"])
        self.assert_train_refuses("lopsided.csv", precomputed, 1, ["symmetric", "0.5", "0.25"])

    def test_a_folder_is_no_file(self):
        self.path("folder").mkdir()
        self.assert_train_refuses("folder", [], 1, ["folder", "a folder without files"])
        self.assert_refused(self.try_run("predict", "folder", "folder"), 1, "folder", "directory")

    def test_a_file_that_does_not_exist(self):
        self.assert_train_refuses("none.csv", [], 1, ["none.csv", "No such file"])

    def test_an_output_that_cannot_be_written(self):
        self.plant("good.csv", GOOD)
        self.path("folder").mkdir()
        self.train("good.csv")
        before = self.files()
        for output in ["none/out", "folder", "good.csv/out", 300 * "n"]:
            for arguments in [["train", "good.csv", "-o", output],
                              ["predict", "model.json", "good.csv", "-o", output],
                              ["inspect", "model.json", "--points", "good.csv", "-o", output],
                              ["generate", "square", "-o", output],
                              ["convert", "good.csv", output]]:
                with self.subTest(output=output, command=arguments[0]):
                    self.assert_refused(self.try_run(*arguments), 1, output)
                    self.assertEqual(self.files(), before)

    def test_an_output_without_a_name_is_wrong_usage_in_every_command(self):
        self.plant("good.csv", GOOD)
        self.train("good.csv")
        before = self.files()
        for arguments in [["train", "good.csv", "-o"], ["predict", "model.json", "good.csv", "-o"],
                          ["evaluate", "model.json", "good.csv", "--curve"],
                          ["inspect", "model.json", "--points", "good.csv", "-o"],
                          ["report", "model.json", "good.csv", "-o"],
                          ["report", "model.json", "good.csv", "--json", "-o"],
                          ["cv", "good.csv", "-o"], ["cv", "good.csv", "--assignments"],
                          ["tune", "good.csv", "-o"],
                          ["tune", "good.csv", "-o", "m.json", "--table"],
                          ["tune", "good.csv", "-o", "m.json", "--journal"],
                          ["generate", "square", "-o"], ["reproduce", "-o"],
                          ["convert", "good.csv"]]:
            with self.subTest(arguments=arguments):
                self.assert_refused(self.try_run(*arguments, ""), 2, "name", "empty")
                self.assertEqual(self.files(), before)

    def test_the_other_commands_leave_nothing_behind_either(self):
        self.plant("good.csv", GOOD)
        self.train("good.csv")
        self.plant("bad.csv", GOOD + "5,x,no\n")
        before = self.files()
        here = ["bad.csv:6:", "column 'b'", "'x'"]
        for arguments, words in [
                (["predict", "model.json", "bad.csv", "-o", "out", "--strict"], here),
                (["inspect", "model.json", "--points", "bad.csv", "-o", "out"], here),
                (["evaluate", "model.json", "bad.csv"], here),
                (["convert", "bad.csv", "out"], ["categories cannot be written as LIBSVM"])]:
            with self.subTest(arguments=arguments):
                self.assert_refused(self.try_run(*arguments), 1, *words)
                self.assertEqual(self.files(), before)

    def test_generate_checks_its_numbers(self):
        for options, words in [("--rows 0", ["rows = 0"]), ("--rows -4", ["--rows", "'-4'"]),
                               ("--rows many", ["--rows", "'many'"]),
                               (f"--rows {10**18}", ["--rows", f"'{10**18}'"]),
                               ("--seed -1", ["--seed", "'-1'"]),
                               ("--problem-seed x", ["--problem-seed", "'x'"])]:
            with self.subTest(options=options):
                done = self.try_run("generate", "square", "-o", "out.csv", *options.split())
                self.assert_refused(done, 2, *words)
        self.assert_refused(self.try_run("generate", "circle"), 2, "circle", "square")
        self.assertEqual(self.files(), [])


class AdvisedOptions(CommandTest):
    """The library says what to change; the command adds the name of its option, and has it."""

    def advised(self, content, *options, command="train", name="data.csv"):
        self.plant(name, content)
        output = ["-o", "model.json"] if command == "train" else []
        done = self.try_run(command, name, *output, *options)
        self.assert_refused(done, 1, name)
        option = re.search(r" \((--[a-z-]+)\)$", done.stderr.rstrip("\n")).group(1)
        self.assertRegex(self.run_well(command, "--help"), rf"(^|[\s,]){option}\b")
        return option

    def test_of_what_is_read(self):
        svm = "1 1:2\n-1 1:3\n"
        for option, value in [("--label", "1"), ("--groups", "g"), ("--weight", "1"),
                              ("--ignore", "1"), ("--header", "yes"), ("--delimiter", ";")]:
            with self.subTest(option):
                self.assertEqual(self.advised(svm, option, value, name="data.svm"), option)
        wide = "a,y\n" + "0" * 3000 + ",p\n2,q\n"
        for option, value in [("--max-line-mb", "0.001"), ("--max-cell-mb", "0.001")]:
            with self.subTest(option):
                self.assertEqual(self.advised(wide, option, value), option)
        self.assertEqual(self.advised("a,y\n1,p\n2,q\n3,r\n"), "--label")
        self.assertEqual(self.advised("a,b,y\n,1,p\n,2,q\n"), "--ignore")

    def test_of_training(self):
        large = "a,b,y\n" + "".join(f"{n}e200,{n * n}e180,{n % 2}\n" for n in range(1, 21))
        unscaled = ["--scale", "none", "-q"]
        self.assertEqual(self.advised(large, *unscaled), "--scale")
        self.assertEqual(self.advised(large, "--kernel", "linear", *unscaled), "--scale")
        self.assertEqual(self.advised(large, "--kernel", "linear", "-v", "2", *unscaled, command="cv"),
                         "--scale", "words in front of an error keep its option")
        self.assertEqual(self.advised("a,y\n1,p\n2,q\n3,q\n", "--band-folds", "3"), "--band-folds")


class RowsThatDoNotFit(CommandTest):
    def setUp(self):
        super().setUp()
        self.plant("named.csv", GOOD)
        self.plant("unnamed.csv", "1,2,no\n2,1,yes\n3,5,no\n4,4,yes\n")
        self.plant("sparse.svm", "0 1:1 2:2\n1 1:2 2:1\n0 1:3 2:5\n1 1:4 2:4\n")

    def assert_predict_refuses(self, data, *words):
        for command in [["predict", "--strict"], ["evaluate"]]:
            self.assert_refused(self.try_run(*command, "model.json", data), 1, data, *words)

    def test_more_or_fewer_columns(self):
        self.train("unnamed.csv")
        self.plant("more.csv", "1,2,3,9,no\n1,2,3,9,yes\n")
        self.plant("fewer.csv", "1,no\n")
        self.assert_predict_refuses("more.csv", "2")
        self.assert_predict_refuses("fewer.csv", "2")

    def test_a_named_column_that_is_missing(self):
        self.train("named.csv")
        self.plant("other.csv", "a,c,y\n1,2,no\n")
        self.assert_predict_refuses("other.csv", "no column 'b'", "the model")

    def test_a_sparse_row_may_be_narrower_but_not_wider(self):
        self.train("sparse.svm")
        self.plant("wider.svm", "0 1:1\n1 3:1\n")
        for command in [["evaluate"], ["predict", "--strict"]]:
            done = self.try_run(*command, "model.json", "wider.svm")
            self.assert_refused(done, 1, "wider.svm", ":2:", "feature 3", "2")
        answers = self.predictions("model.json", "wider.svm")
        self.assertRegex(answers[1]["reason"], "^unreadable: .*feature 3")
        self.plant("narrower.svm", "0 1:1\n1 1:2\n")
        done = self.try_run("predict", "model.json", "narrower.svm")
        self.assertEqual(done.returncode, 0)
        self.assertIn("narrower.svm: no row has a feature beyond 1, the model has 2", done.stderr)

    def test_labels_that_the_model_does_not_know(self):
        self.train("named.csv")
        self.plant("other.csv", "a,b,y\n1,2,no\n3,4,maybe\n")
        self.assert_refused(self.try_run("evaluate", "model.json", "other.csv"), 1, "other.csv:3:",
                            "'maybe'")

    def test_a_reject_label_that_is_a_class(self):
        self.train("named.csv")
        done = self.try_run("predict", "model.json", "named.csv", "-o", "out.csv",
                            "--reject-label", "no")
        self.assert_refused(done, 2, "reject-label", "'no'", "class")
        self.assertNotIn("out.csv", self.files())

    def test_a_start_for_other_features(self):
        self.train("named.csv")
        self.plant("wider.csv", "a,b,c,y\n1,2,3,no\n2,1,3,yes\n")
        done = self.try_run("train", "wider.csv", "-o", "out.json", "--start", "model.json",
                            "--quiet")
        self.assert_refused(done, 1, "3", "2")
        self.assertNotIn("out.json", self.files())


if __name__ == "__main__":
    unittest.main()
