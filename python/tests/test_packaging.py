"""What pyproject.toml makes of the project: the metadata, and the packed sources."""

import re
import tarfile
from email import message_from_string
from pathlib import Path

import pytest

backend = pytest.importorskip("scikit_build_core.build")
ROOT = Path(__file__).resolve().parents[2]


@pytest.fixture
def from_the_root(monkeypatch):
    monkeypatch.chdir(ROOT)


def version_in_header():
    text = (ROOT / "include/rampart/version.hpp").read_text(encoding="utf-8")
    return re.search(r'version = "(.*)"', text).group(1)


def test_metadata_name_the_version_of_the_header_and_need_numpy_alone(from_the_root, tmp_path):
    folder = backend.prepare_metadata_for_build_wheel(str(tmp_path))
    text = (tmp_path / folder / "METADATA").read_text(encoding="utf-8")
    metadata = message_from_string(text)
    assert metadata["Name"] == "rampart"
    assert metadata["Version"] == version_in_header()
    needed = [name for name in metadata.get_all("Requires-Dist") if "extra ==" not in name]
    assert [re.match(r"\w+", name).group() for name in needed] == ["numpy"]
    assert "Tag: py3-none-" in (tmp_path / folder / "WHEEL").read_text(encoding="utf-8")


def test_packed_sources_hold_what_a_build_reads_and_nothing_that_one_wrote(from_the_root, tmp_path):
    with tarfile.open(tmp_path / backend.build_sdist(str(tmp_path))) as packed:
        names = {Path(*Path(name).parts[1:]) for name in packed.getnames()}
    tops = {name.parts[0] for name in names}
    assert not {top for top in tops if top.startswith(("build", "dist", "."))}
    assert not [name for name in names if name.suffix in (".so", ".pyc")]
    assert {"CMakeLists.txt", "LICENSE", "README.md", "pyproject.toml", "PKG-INFO"} <= tops
    for folder in ("cmake", "include", "python/rampart", "src", "tool", "web"):
        there = [path for path in (ROOT / folder).rglob("*.*") if path.is_file()]
        made = {"__pycache__", "node_modules"}
        wanted = {path.relative_to(ROOT) for path in there if not made & {*path.parts}}
        left_out = {name for name in wanted - names if name.suffix != ".so"}
        assert wanted, folder
        assert not left_out
