"""Examples of docstrings, stubs, notebooks."""

import doctest
import pathlib
import subprocess
import sys

import pytest

import kugelbahn as kb

HERE = pathlib.Path(__file__).parent


def objects():
    for name in kb.__all__:
        thing = getattr(kb, name)
        yield name, thing
        if isinstance(thing, type):
            yield from ((f"{name}.{part}", getattr(thing, part)) for part in vars(thing) if not part.startswith("_"))


def test_everything_has_a_docstring():
    assert not [name for name, thing in objects() if not (getattr(thing, "__doc__", None) or "").strip()]


def test_examples():
    finder, runner = doctest.DocTestParser(), doctest.DocTestRunner()
    texts = {"kugelbahn": kb.__doc__, **{name: thing.__doc__ for name, thing in objects()}}
    for name, text in texts.items():
        if text and ">>>" in text:
            runner.run(finder.get_doctest(text, {}, name, None, 0))
    assert runner.tries > 10 and runner.failures == 0


def test_stubs(tmp_path):
    names = subprocess.run([sys.executable, "-m", "mypy.stubtest", "kugelbahn", "--ignore-missing-stub"], cwd=tmp_path, capture_output=True, text=True)
    lost = [line for line in names.stdout.splitlines() if "is not present at runtime" in line or "is not present in stub" in line]
    assert not lost, lost


@pytest.mark.parametrize("file", sorted(HERE.parent.glob("notebooks/*.ipynb")), ids=lambda file: file.stem)
def test_notebooks(file):
    import nbformat
    from nbclient import NotebookClient

    notebook = nbformat.read(file, as_version=4)
    NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
