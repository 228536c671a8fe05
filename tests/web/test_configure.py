#!/usr/bin/env python3
"""A configuration that cannot make pages finds out why, and hands that to the command."""

import re
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CMAKE, GENERATOR = sys.argv[1:3]
PROJECT = f"""cmake_minimum_required(VERSION 3.25)
project(pages LANGUAGES NONE)
set(CMAKE_FIND_USE_CMAKE_SYSTEM_PATH OFF)  # only the programs of the test are found
set(CMAKE_FIND_USE_SYSTEM_ENVIRONMENT_PATH OFF)
option(RAMPART_PAGES "" ON)
add_subdirectory({ROOT}/web web)
file(WRITE ${{PROJECT_BINARY_DIR}}/template "${{RAMPART_PAGE_TEMPLATE}}")
"""
REFUSED = """npm error code ECONNREFUSED
npm error syscall connect
npm error FetchError: request to http://user:secret@localhost:9/x failed, reason: connect ECONNREFUSED
npm error     at [anonymous]; (index.js:130:14)
npm error If you are behind a proxy, please make sure that the 'proxy' config is set properly.
npm error A complete log of this run can be found in: /somewhere/debug-0.log"""
CERTIFICATE = """npm ERR! code SELF_SIGNED_CERT_IN_CHAIN
npm ERR! errno SELF_SIGNED_CERT_IN_CHAIN
npm ERR! request to https://registry.example/x failed, reason: self-signed certificate in chain

npm ERR! A complete log of this run can be found in:
npm ERR!     /somewhere/debug-0.log"""
FULL = """npm ERR! code ENOSPC
npm ERR! nospc ENOSPC: no space left on device, write ")why\\" ${x} @why@"
npm ERR! A complete log of this run can be found in: /somewhere"""


class Reasons(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        (self.folder / "CMakeLists.txt").write_text(PROJECT, encoding="utf-8")

    def program(self, name, says="", code=0):
        path = self.folder / name
        (self.folder / f"{name}.txt").write_text(says + "\n", encoding="utf-8")
        path.write_text(f"#!/bin/sh\ncat {path}.txt >&{2 if code else 1}\nexit {code}\n", encoding="utf-8")
        path.chmod(0o755)
        return path

    def why(self, *options, node=None, npm=None):
        """What the configuration found, and the same from the file that is compiled."""
        given = [f"-DRAMPART_{name}={path}" for name, path in [("NODE", node), ("NPM", npm)] if path]
        build = self.folder / "build"
        done = subprocess.run([CMAKE, "-G", GENERATOR, "-S", self.folder, "-B", build, *given, *options],
                              capture_output=True, text=True, check=False)
        self.assertEqual(done.returncode, 0, done.stdout + done.stderr)
        cache = (build / "CMakeCache.txt").read_text(encoding="utf-8")
        why = re.search(r"^RAMPART_NO_PAGE:INTERNAL=(.*)$", cache, re.MULTILINE).group(1)
        self.assertIn(f"HTML pages are left out: {why}", done.stdout)
        template = Path((build / "template").read_text(encoding="utf-8"))
        self.assertIn(f'return R"why({why})why";', template.read_text(encoding="utf-8"))
        return why

    def test_pages_turned_off(self):
        self.assertIn("turned off; configure with -DRAMPART_PAGES=ON", self.why("-DRAMPART_PAGES=OFF"))

    def test_no_node_and_no_npm(self):
        self.assertIn("node was not found; install nodejs (18 or newer) and npm", self.why())
        node = self.program("node", "v20.1.0")
        self.assertIn("npm was not found; install", self.why(node=node))

    def test_an_old_node_and_a_broken_one(self):
        npm = self.program("npm")
        old = self.program("old", "v16.20.2")
        self.assertIn("node is of version 16.20.2; install nodejs 18", self.why(node=old, npm=npm))
        broken = self.program("broken", "libnode.so: no such file", code=127)
        self.assertIn("node does not run (libnode.so: no such file)", self.why(node=broken, npm=npm))

    def test_packages_that_cannot_be_fetched(self):
        node = self.program("node", "v20.1.0")
        for log, reason in [
                (REFUSED, "(request to http://localhost:9/x failed, reason: connect ECONNREFUSED)"),
                (CERTIFICATE, "(request to https://registry.example/x failed, "
                              "reason: self-signed certificate in chain)"),
                (FULL, "(nospc ENOSPC: no space left on device, write )why x @why@)"),
                ("", "(it said nothing)")]:
            with self.subTest(reason=reason):
                why = self.why(node=node, npm=self.program("npm", log, code=1))
                self.assertIn("npm could not fetch what pages are made of " + reason, why)
                self.assertNotIn("install nodejs", why)
                self.assertNotIn("secret", why)

    def test_a_bundler_that_does_not_run(self):
        npm = self.program("npm")
        node = self.folder / "node"
        node.write_text("#!/bin/sh\n[ $# = 1 ] && echo v20.1.0 && exit\n"
                        "echo 'wrong platform' >&2; exit 1\n", encoding="utf-8")
        node.chmod(0o755)
        self.assertIn("esbuild, which makes pages, does not run (wrong platform)",
                      self.why(node=node, npm=npm))


if __name__ == "__main__":
    unittest.main(argv=sys.argv[:1])
