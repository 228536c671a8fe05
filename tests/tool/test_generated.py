#!/usr/bin/env python3
"""What is generated from the option table: completion for shells and manual pages.

Both must list what --help lists. The one argument is the folder of the build, whose installation
must have them.
"""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

from rampart_command import LONGEST, CommandTest

BUILD = None
# Options stand at the beginning of a line of the help, maybe one after another: -c,--C
LISTED = re.compile(r"^ {2}((?:--?[A-Za-z][\w-]*)(?:,--?[A-Za-z][\w-]*)*)", re.MULTILINE)


class Generated(CommandTest):
    def commands(self):
        text = self.run_well("--help")
        return re.findall(r"^ {2}([a-z]+) ", text[text.index("Subcommands:"):], re.MULTILINE)

    def options(self, command):
        text = self.run_well(command, "--help")
        return {name for names in LISTED.findall(text) for name in names.split(",")}

    def run_other(self, *arguments, stdin=""):
        done = subprocess.run(arguments, input=stdin, capture_output=True, text=True, cwd=self.folder,
                              timeout=LONGEST, check=False,
                              env={**os.environ, "LC_ALL": "C.UTF-8"})
        self.assertEqual((done.returncode, done.stderr), (0, ""))
        return done.stdout


class Help(Generated):
    def test_the_help_lists_commands_and_options(self):  # or else the other tests show nothing
        self.assertIn("train", self.commands())
        self.assertNotIn("completion", self.commands())
        self.assertLessEqual({"-c", "--C", "--kernel", "--help", "--config"}, self.options("train"))


class Bash(Generated):
    def complete(self, *words):
        """What is offered for the last of these words."""
        self.plant("rampart.bash", self.run_well("completion", "bash"))
        script = ('source ./rampart.bash; compopt() { :; }; COMP_WORDS=("$@"); '
                  'COMP_CWORD=$(($# - 1)); _rampart; printf "%s\\n" "${COMPREPLY[@]}"')
        return set(self.run_other("bash", "-c", script, "bash", "rampart", *words).split())

    def test_is_a_script(self):
        self.run_other("bash", "-n", stdin=self.run_well("completion", "bash"))

    def test_offers_every_command(self):
        self.assertEqual(self.complete(""), set(self.commands()))
        self.assertEqual(self.complete("tr"), {"train"})
        self.assertEqual(self.complete("help", "tu"), {"tune"})

    def test_offers_every_option(self):
        for command in self.commands():
            with self.subTest(command=command):
                self.assertEqual(self.complete(command, "-"), self.options(command))

    def test_offers_values_where_there_are_few(self):
        self.assertEqual(self.complete("train", "data.csv", "--kernel", "p"),
                         {"polynomial", "precomputed"})
        self.assertEqual(self.complete("generate", "sq"), {"square"})
        self.assertEqual(self.complete("train", "-c", ""), set())


class OtherShells(Generated):
    def test_zsh_and_fish_list_every_command_and_option(self):
        zsh = self.run_well("completion", "zsh")
        fish = self.run_well("completion", "fish")
        self.assertTrue(zsh.startswith("#compdef rampart\n"))
        for command in self.commands():
            self.assertIn(f"'{command}:", zsh)
            self.assertIn(f" -a {command} ", fish)
            part = zsh[zsh.index(f"\n    {command})\n"):]
            part = part[:part.index(";;\n")]
            for option in self.options(command):
                with self.subTest(command=command, option=option):
                    self.assertRegex(part, rf"[')]{re.escape(option)}\[")
                    dashes = " -l " if option.startswith("--") else " -s "
                    self.assertRegex(fish, rf"(?m)_from {command}'.*{dashes}{option.strip('-')} ")

    def test_their_syntax(self):
        for shell in ["zsh", "fish"]:
            if shutil.which(shell) is None:
                continue
            with self.subTest(shell=shell):
                self.run_other(shell, "-n", self.plant("script", self.run_well("completion", shell)))

    def test_another_shell_is_refused(self):
        self.assert_refused(self.try_run("completion", "tcsh"), 2, "'tcsh' is not one of")


class Manual(Generated):
    def test_has_no_fault_and_lists_every_option(self):
        if shutil.which("groff") is None:
            self.skipTest("needs groff")
        for command in ["", *self.commands()]:
            with self.subTest(command=command):
                page = self.run_well("manual", *([command] if command else []))
                shown = self.run_other("groff", "-man", "-ww", "-Kutf8", "-Tutf8", "-P-cbou", "-rLL=200n",
                                       stdin=page)
                names = self.options(command) if command else self.commands()
                for name in names:
                    self.assertRegex(shown, rf"(?m)^ +(.*, )?{re.escape(name)}(,| |$)")

    def test_has_no_fault_for_mandoc(self):
        if shutil.which("mandoc") is None:
            self.skipTest("needs mandoc")
        for command in ["", *self.commands()]:
            page = self.run_well("manual", *([command] if command else []))
            self.run_other("mandoc", "-Tlint", "-Werror", self.plant("page.1", page))

    def test_says_nothing_of_this_machine(self):
        self.assertIn("here)", self.run_well("train", "--help"))
        self.assertNotIn("here)", self.run_well("manual", "train"))


class Installation(Generated):
    def test_has_them(self):
        if BUILD is None:
            self.skipTest("needs the folder of the build")
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        made = Path(BUILD, "tool", "made")
        for path, content in [("rampart", "bash"), ("_rampart", "zsh"), ("rampart.fish", "fish")]:
            self.assertEqual((made / path).read_text(encoding="utf-8"),
                             self.run_well("completion", content))
        # Only this folder: the library may not have been built.
        subprocess.run(["cmake", "-DCMAKE_INSTALL_PREFIX=" + folder.name,
                        "-DCMAKE_INSTALL_LOCAL_ONLY=1", "-P", Path(BUILD, "tool", "cmake_install.cmake")],
                       check=True, capture_output=True, timeout=LONGEST)
        share = Path(folder.name, "share")
        for path in ["bash-completion/completions/rampart", "zsh/site-functions/_rampart",
                     "fish/vendor_completions.d/rampart.fish", "man/man1/rampart.1",
                     *(f"man/man1/rampart-{command}.1" for command in self.commands())]:
            self.assertTrue((share / path).is_file(), path)
        self.assertEqual((share / "man/man1/rampart-train.1").read_text(encoding="utf-8"),
                         self.run_well("manual", "train"))


if __name__ == "__main__":
    if len(sys.argv) > 1:
        BUILD = sys.argv.pop(1)
    unittest.main()
