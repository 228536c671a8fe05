#!/usr/bin/env python3
"""Several reject costs at once: a model for each, the one that would be trained alone."""

import json
import os
import signal
import subprocess
import time
import unittest

from rampart_command import LONGEST, RAMPART, CommandTest, facts_of, signals_as_at_a_terminal

COSTS = ["0.1", "0.25", "0.5"]


class TrainEach(CommandTest):
    def setUp(self):
        super().setUp()
        self.generate("square", "data.csv", "-n", "100")

    def refuse(self, *arguments, words):
        before = self.files()
        self.assert_refused(self.try_run("train", "data.csv", *arguments), 2, *words)
        self.assertEqual(self.files(), before)


class Models(TrainEach):
    def test_are_byte_for_byte_those_trained_alone(self):
        start = self.train("data.csv", "-c", "1", model="start.json")
        self.assertEqual(start["format"], "rampart-model")
        for options in [["-c", "10"], ["--kernel", "linear", "--scale", "standard"],
                        ["--loss", "hinge"], ["--loss", "generalized-hinge"],
                        ["--band-folds", "3"], ["-c", "4", "--start", "start.json"]]:
            with self.subTest(options=options):
                self.run_well("train", "data.csv", "-o", "m{d}.json", "--d", ",".join(COSTS),
                              *options)
                for d in COSTS:
                    self.train("data.csv", "--d", d, *options, model="alone.json")
                    self.assertEqual(self.path(f"m{d}.json").read_bytes(),
                                     self.path("alone.json").read_bytes())

    def test_have_the_numbers_of_a_range_in_their_names(self):
        self.run_well("train", "data.csv", "-o", "m-{d}.json", "--reject-cost", "0.05:0.5:0.05")
        self.assertEqual(self.files(), ["data.csv"] + [f"m-{d}.json" for d in [
            "0.05", "0.1", "0.15", "0.2", "0.25", "0.3", "0.35", "0.4", "0.45", "0.5"]])
        for path in self.folder.glob("m-*.json"):
            model = json.loads(path.read_text(encoding="utf-8"))
            self.assertEqual(path.name, f"m-{facts_of(model)['costs']['reject_positive']}.json")

    def test_a_single_cost_may_be_in_the_name_too_more_than_once(self):
        self.path("0.2").mkdir()
        self.run_well("train", "data.csv", "-o", "{d}/of-{d}.json", "--d", "0.2")
        self.assertTrue(self.path("0.2/of-0.2.json").exists())

    def test_do_not_depend_on_threads_or_cache(self):
        results = []
        for how in [["--threads", "1"], ["--threads", "2"], ["--cache-mb", "0"]]:
            self.run_well("train", "data.csv", "-o", "m{d}.json", "--d", ",".join(COSTS), *how)
            results.append([self.path(f"m{d}.json").read_bytes() for d in COSTS])
        self.assertEqual(results[1:], [results[0]] * 2)


class Output(TrainEach):
    def test_json_has_one_result_for_each_as_for_a_single_one(self):
        report = self.run_json("train", "data.csv", "-o", "m{d}.json", "--d", ",".join(COSTS))
        self.assertEqual(list(report), ["results"])
        self.assertEqual([one["reject_cost"] for one in report["results"]], [0.1, 0.25, 0.5])
        self.assertEqual([one["model"] for one in report["results"]],
                         [f"m{d}.json" for d in COSTS])
        for one, d in zip(report["results"], COSTS):
            alone = self.run_json("train", "data.csv", "-o", f"m{d}.json", "--d", d)
            del one["kernel_rows"], alone["kernel_rows"]  # those that were not there yet
            self.assertEqual(one, alone)

    def test_text_has_a_line_for_each(self):
        lines = self.run_well("train", "data.csv", "-o", "m{d}.json", "--d",
                              ",".join(COSTS)).splitlines()
        self.assertEqual([line.split()[0] for line in lines[3:6]], COSTS)
        self.assertEqual(lines[-1], "wrote 3 models, m0.1.json to m0.5.json")
        self.assertEqual(self.run_well("train", "data.csv", "-o", "m{d}.json", "--d", "0.1,0.2",
                                       "--quiet"), "")

    def test_timing_tells_the_seconds_and_is_silent_otherwise(self):
        for options in [["--d", "0.1"], ["--d", "0.1,0.2"]]:
            arguments = ["train", "data.csv", "-o", "m{d}.json", *options]
            plain, timed = self.run_json(*arguments), self.run_json(*arguments, "--timing")
            for key in ["seconds", "cpu_seconds"]:
                self.assertGreaterEqual(timed.pop(key), 0)
            self.assertEqual(timed, plain)
            text = self.run_well(*arguments)
            self.assertTrue(self.run_well(*arguments, "--timing").startswith(text + "training took"))


class Refusals(TrainEach):
    def test_names_that_cannot_tell_the_models_apart(self):
        self.refuse("-o", "model.json", "--d", "0.1,0.2", words=["model.json", "{d}"])
        self.refuse("-o", "-", "--d", "0.1,0.2", words=["{d}"])
        self.refuse("-o", "m{d}.json", "--costs", "1,5,0.2,0.2", words=["m{d}.json", "table"])
        self.refuse("-o", "m{d}.json", "--d", "0.1,0.2,0.1", words=["0.1", "twice"])
        self.refuse("-o", "m{d}.json", "--d", "0.001:0.5:0.001", words=["500", "at most 100"])
        self.path("m0.1.json").symlink_to("m0.2.json")
        self.refuse("-o", "m{d}.json", "--d", "0.1,0.2", words=["m0.1.json", "twice"])

    def test_costs_out_of_range_and_lists_that_are_none(self):
        self.refuse("-o", "m{d}.json", "--d", "0.1,0.7", words=["0.7"])
        self.refuse("-o", "m{d}.json", "--d", "0.1,x", words=["'x'"])
        self.refuse("-o", "m{d}.json", "--d", "0.5:0.1:0.1", words=["0.5:0.1:0.1"])

    def test_a_model_in_place_of_the_data(self):
        self.plant("0.2.csv", self.path("data.csv").read_bytes())
        self.assert_refused(self.try_run("train", "0.2.csv", "-o", "{d}.csv", "--d", "0.1,0.2"), 2,
                            "0.2.csv")

    def test_a_start_for_bands_of_inner_folds(self):
        self.train("data.csv", model="start.json")
        self.refuse("-o", "m{d}.json", "--d", "0.1,0.2", "--start", "start.json", "--loss", "hinge",
                    words=["--start", "--band-folds"])


class AllOrNone(TrainEach):
    def test_one_that_cannot_be_written_is_an_error_before_training_and_leaves_none(self):
        self.path("m0.2.json").mkdir()
        self.assert_refused(self.try_run("train", "data.csv", "-o", "m{d}.json", "--d", "0.1,0.2"),
                            1, "m0.2.json")
        self.assertEqual(self.files(), ["data.csv", "m0.2.json"])

    def test_with_strict_one_that_did_not_converge_leaves_none(self):
        short = ["train", "data.csv", "-o", "m{d}.json", "--d", "0.1,0.2", "--max-steps", "1"]
        done = self.try_run(*short, "--strict")
        self.assertEqual((done.returncode, done.stdout), (3, ""))
        self.assertEqual(done.stderr.count("\n"), 1, done.stderr)
        self.assertTrue(done.stderr.startswith(
            "rampart: d = 0.1 and 1 more: training did not converge"), done.stderr)
        self.assertEqual(self.files(), ["data.csv"])
        done = self.try_run(*short)
        self.assertEqual(done.returncode, 0)
        for line, d in zip(done.stderr.splitlines(), ["0.1", "0.2"], strict=True):
            self.assertTrue(line.startswith(f"rampart: d = {d}: training did not converge"), line)
        self.assertEqual(self.files(), ["data.csv", "m0.1.json", "m0.2.json"])

    def test_an_interrupt_while_files_are_renamed_leaves_all_whatever_the_threads(self):
        signals_as_at_a_terminal()
        self.generate("synthetic1", "large.csv", "-n", "1500")  # enough to start a second thread
        for trial, (threads, which) in enumerate(3 * [
                ("1", signal.SIGINT), ("2", signal.SIGTERM), ("2", signal.SIGHUP)]):
            with self.subTest(trial=trial, threads=threads, which=which):
                for model in self.folder.glob("m*.json"):
                    model.unlink()
                started = subprocess.Popen(
                    [RAMPART, "train", "large.csv", "-o", "m{d}.json", "--d", "0.01:0.5:0.01",
                     "--max-steps", "300", "--quiet", "--threads", threads], cwd=self.folder)
                self.addCleanup(started.kill)
                while started.poll() is None and not self.path("m0.01.json").exists():
                    pass
                started.send_signal(which)
                self.assertEqual(started.wait(LONGEST), 0)
                self.assertEqual(len(list(self.folder.glob("m*.json"))), 50)
                self.assertEqual(len(self.files()), 52)

    def test_an_interrupt_leaves_none(self):
        signals_as_at_a_terminal()
        started = subprocess.Popen([RAMPART, "train", "-", "-o", "m{d}.json", "--d",
                                    "0.01:0.5:0.01"], cwd=self.folder, stdin=subprocess.PIPE,
                                   stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        self.addCleanup(started.stdin.close)
        self.addCleanup(started.kill)
        os.write(started.stdin.fileno(), b"x,y\n1,a\n2,b\n")
        deadline = time.monotonic() + LONGEST
        while sum(name.endswith(".tmp") for name in self.files()) < 50:
            self.assertLess(time.monotonic(), deadline, "no files were begun")
            time.sleep(0.01)
        started.send_signal(signal.SIGINT)
        self.assertEqual(started.wait(LONGEST), 130)
        self.assertEqual(self.files(), ["data.csv"])


if __name__ == "__main__":
    unittest.main()
