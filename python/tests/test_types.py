"""What type checkers see of the module."""

import ast
import inspect
import json
import os
import pathlib
import re
import shutil
import subprocess
import sys

import pytest

import kugelbahn as kb

HERE = pathlib.Path(__file__).parent
STUB = HERE.parent / "kugelbahn" / "__init__.pyi"


def mypy(file, folder):
    """Lines of errors, and what was revealed."""
    command = [sys.executable, "-m", "mypy", "--strict", "--no-color-output", file.name]
    told = subprocess.run(command, cwd=folder, capture_output=True, text=True).stdout
    return {int(line) for line in re.findall(r":(\d+): error", told)}, re.findall(r'Revealed type is "(.*)"', told)


def pyright(file, folder):
    pytest.importorskip("basedpyright")
    (folder / "pyrightconfig.json").write_text('{"typeCheckingMode": "standard"}')
    command = [sys.executable, "-m", "basedpyright", "--outputjson", "--pythonpath", sys.executable, file.name]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True)
    told = json.loads(done.stdout)["generalDiagnostics"]
    lines = {one["range"]["start"]["line"] + 1 for one in told if one["severity"] == "error"}
    return lines, [one["message"] for one in told if one["severity"] == "information" and one["message"].startswith("Type of")]


@pytest.mark.parametrize("check", [mypy, pyright])
def test_python_stub_misspelt(check, tmp_path):
    file = pathlib.Path(shutil.copy(HERE / "planted.py", tmp_path))
    wrong = {number for number, line in enumerate(file.read_text().splitlines(), 1) if line.endswith("# wrong")}
    assert len(wrong) > 20
    assert check(file, tmp_path)[0] == wrong


@pytest.mark.parametrize("check", [mypy, pyright])
def test_nothing_revealed_is_any(check, tmp_path):
    file = pathlib.Path(shutil.copy(HERE / "revealed.py", tmp_path))
    errors, revealed = check(file, tmp_path)
    assert not errors and len(revealed) > 20
    # The shape of an array is not known.
    plain = [re.sub(r"tuple\[Any, \.\.\.\]|tuple\[int, \.\.\.\]", "", text) for text in revealed]
    assert not [text for text in plain if re.search(r"\b(Any|Unknown)\b", text)]


def documented(text):
    """The stub with the docstrings of the module."""
    lines, seen = text.splitlines(), set()
    places = []

    def visit(nodes, runtime, owner):
        for node in nodes:
            if isinstance(node, ast.ClassDef) and not node.name.startswith("_"):
                thing = getattr(kb, node.name)
                places.append((node, inspect.getdoc(thing)))
                visit(node.body, thing, node.name)
            elif isinstance(node, ast.FunctionDef) and not node.name.startswith("_") and (owner, node.name) not in seen:
                seen.add((owner, node.name))
                places.append((node, inspect.getdoc(getattr(runtime, node.name))))

    visit(ast.parse(text).body, kb, None)
    for node, doc in reversed(places):
        first, indent = node.body[0], " " * (node.col_offset + 4)
        told = ['"""' + doc.replace("\\", "\\\\").splitlines()[0], *doc.replace("\\", "\\\\").splitlines()[1:]]
        told = [indent + line if line else "" for line in told]
        told[-1] += '"""' if len(told) == 1 else ""
        told += [indent + '"""'] if len(told) > 1 else []
        if isinstance(first, ast.Expr) and isinstance(first.value.value, str):
            lines[first.lineno - 1 : first.end_lineno] = told
        elif isinstance(node, ast.ClassDef):
            lines[first.lineno - 1 - len(getattr(first, "decorator_list", [])) : first.lineno - 1 - len(getattr(first, "decorator_list", []))] = told
        else:
            lines[first.lineno - 1] = lines[first.lineno - 1].removesuffix(" ...")
            lines[first.lineno : first.lineno] = told
    return "\n".join([*lines, ""])


def test_the_stub_has_the_docstrings():
    """With KUGELBAHN_WRITE=1 they are written anew."""
    text = STUB.read_text()
    if os.environ.get("KUGELBAHN_WRITE"):
        STUB.write_text(documented(text))
    else:
        assert documented(text) == text
