#!/usr/bin/env python3
"""Each check finds the fault it is there for, planted here, and nothing in a sound project."""

import tempfile
import unittest
from pathlib import Path

import check_docs
import check_includes
import check_published
import check_readme
import check_rules
from project import ROOT


class Planted(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)

    def plant(self, path, text):
        path = self.root / path
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, encoding="utf-8")


class Includes(Planted):
    def check(self, path, include):
        self.plant(path, f"#pragma once\n\n#include {include}\n")
        return check_includes.complaints(self.root)

    def test_a_layer_may_include_itself_and_what_is_below(self):
        for path, include in [
            ("src/data/csv.cpp", '"util/assert.hpp"'),
            ("src/data/csv.cpp", '"rampart/io.hpp"'),
            ("src/solver/smo.hpp", '"kernel/row_cache.hpp"'),
            ("src/train/train.cpp", '"solver/smo.hpp"'),
            ("src/model/model.cpp", '"rampart/options.hpp"'),
            ("src/evaluate/metrics.cpp", '"rampart/model.hpp"'),
            ("src/util/number.cpp", "<fast_float/fast_float.h>"),
            ("include/rampart/model.hpp", '"rampart/options.hpp"'),
            ("tool/train.cpp", "<rampart/rampart.hpp>"),
            ("tool/train.cpp", '"CLI/CLI.hpp"'),
        ]:
            with self.subTest(path=path, include=include):
                self.assertEqual(self.check(path, include), [])

    def test_no_layer_includes_what_is_above_it(self):
        for path, include in [
            ("src/util/number.cpp", '"data/csv.hpp"'),
            ("src/util/number.cpp", '"rampart/io.hpp"'),
            ("src/kernel/kernel.cpp", '"rampart/options.hpp"'),
            ("src/solver/smo.hpp", '"rampart/dataset.hpp"'),
            ("src/solver/smo.hpp", '"model/loss.hpp"'),
            ("src/solver/smo.hpp", "<rampart/model.hpp>"),
            ("src/model/model.cpp", '"solver/smo.hpp"'),
            ("src/model/model.cpp", '"train/dca.hpp"'),
            ("src/train/train.cpp", '"rampart/metrics.hpp"'),
            ("include/rampart/kernel.hpp", '"rampart/model.hpp"'),
            ("include/rampart/kernel.hpp", '"kernel/row_cache.hpp"'),
            ("src/train/train.cpp", '"rampart/rampart.hpp"'),
        ]:
            with self.subTest(path=path, include=include):
                found = self.check(path, include)
                self.assertEqual(len(found), 1, found)
                self.assertTrue(found[0].startswith(f"{path}:3: "), found)
                (self.root / path).unlink()

    def test_programs_see_public_headers_only(self):
        self.plant("src/util/assert.hpp", "")
        for program in ("tool", "examples"):
            with self.subTest(program=program):
                path = f"{program}/main.cpp"
                self.assertEqual(len(self.check(path, '"util/assert.hpp"')), 1)
                self.assertEqual(len(self.check(path, '"../src/util/assert.hpp"')), 1)
                self.plant(f"{program}/own.hpp", "")
                self.assertEqual(self.check(path, '"own.hpp"'), [])

    def test_a_relative_path_is_no_way_round(self):
        self.plant("src/train/dca.hpp", "")
        self.assertEqual(len(self.check("src/solver/smo.hpp", '"../train/dca.hpp"')), 1)

    def test_a_new_public_header_needs_a_layer(self):
        self.assertEqual(len(self.check("tool/main.cpp", "<rampart/novelty.hpp>")), 1)


class Rules(Planted):
    def test_the_library_neither_prints_nor_exits_nor_reads_its_surroundings(self):
        for fault in ["#include <iostream>", 'std::cerr << "x";', 'std::fprintf(stderr, "x");',
                      "std::exit(1);", 'std::getenv("HOME");', "std::stod(text);",
                      "std::shuffle(a, b, c);", "std::normal_distribution<double> d;",
                      "std::chrono::system_clock::now();", "std::shared_ptr<int> p;",
                      'fail("a larger --max-line-mb reads it");', 'fail("scale them (--scale)");']:
            with self.subTest(fault=fault):
                self.plant("src/train/train.cpp", f"// fine\n{fault}\n")
                self.assertEqual(len(check_rules.complaints(self.root)), 1)

    def test_comments_and_harmless_code_pass(self):
        self.plant("src/train/train.cpp", "// never std::cout, never exit(1)\nint exits = 0;\n"
                   'auto text = "a--b";\n--exits;  // as --scale does\n')
        self.assertEqual(check_rules.complaints(self.root), [])


class Documents(Planted):
    def setUp(self):
        super().setUp()
        self.plant("src/solver/smo.hpp", "")
        self.plant("docs/design.md", "# Why: the *two* sums\n")

    def paths(self, text):
        self.plant("README.md", text)
        return check_docs.bad_paths(self.root)

    def test_paths_that_exist_pass(self):
        for text in ["`src/solver/smo.hpp`", "`smo.hpp`", "`src/`", "`src/solver/*.hpp`",
                     "`build/rampart`", "`model.json`", "`1/2`", "[why](docs/design.md)",
                     "[sums](docs/design.md#why-the-two-sums)", "[web](https://example.org/x)",
                     "```sh\ncat `src/none.hpp`\n```"]:
            with self.subTest(text=text):
                self.assertEqual(self.paths(text), [])

    def test_paths_that_do_not_exist_are_found(self):
        for text in ["`src/solver/none.hpp`", "`none.hpp`", "`src/solver/*.py`", "`docs/none.md`",
                     "`./none`", "`rampart/none.hpp`", "[x](docs/none.md)",
                     "[x](docs/design.md#none)"]:
            with self.subTest(text=text):
                self.assertEqual(len(self.paths("\n" + text)), 1)
                self.assertIn("README.md:2:", self.paths("\n" + text)[0])

    def options(self, text):
        self.plant("README.md", text)
        helps = {None: "Commands:\n  train  fit\n  predict  use\n", "train": "--C,--tolerance X",
                 "predict": "--threads N"}
        return check_docs.bad_options(self.root, helps.get)

    def test_options_that_exist_pass(self):
        for text in ["`--tolerance`", "`--threads 2`", "`rampart train a.csv --C 2`",
                     "```sh\nrampart train a.csv \\\n  --C 2\n./dev format --check\n```"]:
            with self.subTest(text=text):
                self.assertEqual(self.options(text), [])

    def test_options_and_commands_that_do_not_exist_are_found(self):
        for text in ["`--none`", "`rampart predict m.json --C 2`", "`rampart fly`",
                     "```sh\nrampart train a.csv \\\n  --none\n```"]:
            with self.subTest(text=text):
                self.assertEqual(len(self.options(text)), 1)

    def test_words_from_one_workplace_are_found(self):
        for text in ["see /wo" + "rk/notes", "as iss" + "ue 12 says", "in this ses" + "sion"]:
            with self.subTest(text=text):
                self.plant("docs/data.md", text)
                self.assertEqual(len(check_docs.outside_words(self.root)), 1)
        self.plant("docs/data.md", "it works at home; https://example.org/home/x; /workshop")
        self.assertEqual(check_docs.outside_words(self.root), [])


class Readme(Planted):
    def check(self, text):
        tool = self.root / "tool"
        self.plant("tool", '#!/bin/sh\n[ "$1" = train ]\n')
        tool.chmod(0o755)
        return check_readme.complaints(text, {"demo"}, tool)

    def test_blocks_run_in_one_folder_with_the_command(self):
        self.assertEqual(self.check("```sh\n./dev demo\nrampart train\necho 1 > a\n```\n\n"
                                    "```sh\ncat a\n```\n\n```text\nfalse\n```\n"), [])

    def test_failures_are_found(self):
        for text in ["no example", "```sh\n./dev fly\n```\n", "```sh\nrampart fly\ntrue\n```\n",
                     "```sh\nrampart fly | cat\n```\n"]:
            with self.subTest(text=text):
                self.assertEqual(len(self.check(text)), 1)


class Published(Planted):
    GOOD = (ROOT / "data" / "published.csv").read_text(encoding="utf-8")

    def check(self, old, new):
        self.assertEqual(self.GOOD.count(old), 1)
        self.plant("published.csv", self.GOOD.replace(old, new))
        return check_published.complaints(self.root / "published.csv")

    def test_a_typing_error_is_found(self):
        row = "tab:Ionosphere,ionosphere,double-ramp,0.1,0.027,0.003,0.0881,0.0032,0.9799,0.0033"
        self.assertEqual(self.check(row, row), [])
        for old, new in [("0.027", "0.072"), ("0.0881", "0.1881"), ("0.9799", "0.9979"),
                         ("0.0881", "8.81"), ("0.9799", ""), ("ramp,0.1,", "ramp,0.15,")]:
            with self.subTest(old=old, new=new):
                self.assertNotEqual(self.check(row, row.replace(old, new)), [])

    def test_a_missing_row_is_found(self):
        row = next(line for line in self.GOOD.splitlines(True) if line.startswith("tab:Park"))
        self.assertNotEqual(self.check(row, ""), [])


if __name__ == "__main__":
    unittest.main()
