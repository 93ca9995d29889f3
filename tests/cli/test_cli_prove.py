"""``ktsolve prove``: text, JSON, files, bad input, limits."""

from __future__ import annotations

import json
import re
import time
from pathlib import Path

import pytest
from command import Said, answered, keys_of, ktsolve, names_in, process, refused
from interrupting import interrupted
from lrat import lrat_fault
from marks import full

QUESTION = {"schema": str, "status": str, "board": dict, "problem": str, "closed": bool}

HARD = ("prove", "7x7", "--argument", "clauses")
"""A count of colours, which resolution cannot do in a lifetime."""


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    return tmp_path


def test_text(folder: Path) -> None:
    said = answered("prove", "4x6", "--certificate", "c.json")
    reason = "without 6 cells the board has 7 components; a closed tour allows at most 6"
    size = (folder / "c.json").stat().st_size - 1
    assert said.out == f"no tour: {reason}\ncertificate of {size} bytes, checked, in c.json\n"
    assert re.fullmatch(r"closed 4x6: \d+\.\d{3} s\n", said.err)
    assert answered("prove", "4x6", "-q").err == ""
    valid = f"valid: no tour of closed 4x6\n{reason}\n"
    assert answered("prove", "--check", "c.json").out == valid
    assert answered("prove", "4x6", "--check", "c.json").out == valid
    said = answered("prove", "--check", "-", given=(folder / "c.json").read_bytes())
    assert said.out == valid
    said = answered("prove", "4x8", "--check", "c.json", status=1)
    assert said.out == "not valid: it is about closed 4x6, not closed 4x8\n"
    said = answered("prove", "4x6", "--forbid", "a1-b3", "--check", "c.json", status=1)
    assert said.out == "not valid: it is about closed 4x6, not closed 4x6 forbid a1-b3\n"
    assert names_in(folder) == ["c.json"]


def test_a_tour_has_status_1(folder: Path) -> None:
    said = answered("prove", "3x10", "--certificate", "c.json", status=1)
    assert said.out.startswith("there is a tour:\n")
    assert answered("check", "-", given=said.out.partition("\n")[2].encode()).out == (
        "valid closed tour of 3x10\n"
    )
    assert names_in(folder) == []


def test_json() -> None:
    data = answered("prove", "3x8", "--json", "--certificate", "c.json").json
    texts = dict.fromkeys(("argument", "reason", "proof", "certificate"), str)
    assert keys_of(data) == {**QUESTION, **texts, "seconds": float}
    assert (data["status"], data["argument"], data["certificate"]) == ("impossible", "clauses", "c.json")
    assert data["reason"] == data["proof"]
    assert answered("prove", "4x6", "--json").json["certificate"] is None
    data = answered("prove", "--check", "c.json", "--json").json
    assert keys_of(data) == {**QUESTION, "reason": str, "seconds": float}
    assert (data["status"], data["problem"]) == ("valid", "closed 3x8")
    data = answered("prove", "3x6", "--check", "c.json", "--json", status=1).json
    assert (data["status"], data["reason"]) == ("invalid", "it is about closed 3x8, not closed 3x6")
    data = answered("prove", "3x10", "--json", status=1).json
    assert keys_of(data) == {**QUESTION, "squares": list, "seconds": float}
    assert (data["status"], len(data["squares"])) == ("found", 30)


def test_graphs(folder: Path) -> None:
    said = answered("prove", "graph:petersen", "--certificate", "p.json")
    assert said.out.startswith("no tour: the sweep over 10 nodes in the given order leaves no state\n")
    valid = "valid: no tour of closed graph of 10 vertices and 15 edges\n"
    assert answered("prove", "--check", "p.json").out.startswith(valid)
    assert answered("prove", "graph:petersen", "--check", "p.json").out.startswith(valid)
    said = answered("prove", "graph:dodecahedral", "--check", "p.json", status=1)
    assert said.out.startswith("not valid: it is about closed graph of 10 vertices and 15 edges, not closed ")
    said = answered("prove", "graph:generalized-petersen:6,2", status=1)
    assert said.out.startswith("there is a tour: ")
    data = answered("prove", "graph:complete:3,5", "--json").json
    assert (data["status"], data["argument"]) == ("impossible", "parts")
    assert data["reason"].startswith("a closed tour alternates between the two colours, but the graph has 5")
    assert data["proof"] == "without 3 vertices the graph has 5 components; a closed tour allows at most 3"
    ends = ("--open", "--start", "a8", "--end", "j1")
    assert answered("prove", "graph:grid:8x10", *ends, "--json").json["argument"] == "parts"
    assert answered("prove", "graph:tutte", "--argument", "order", "--timeout", "100").out != ""
    said = answered("prove", "--check", "p.json", "--timeout", "0.000001", status=3)
    assert "stopped at the time limit" in said.err
    changed = (folder / "p.json").read_text().replace('"order":[', '"order":[7,')
    (folder / "c.json").write_text(changed)
    assert "the sha256 does not match" in refused("prove", "--check", "c.json")


@pytest.mark.full
def test_conditions_and_export(folder: Path) -> None:
    said = answered("prove", "8x8", "--most", "obtuse=3", "--certificate", "o.json", "--export", "o.cnf")
    assert said.out.splitlines()[-1] == "clauses in o.cnf, their refutation in o.drup and o.lrat"
    first = "valid: no tour of closed 8x8 most obtuse=3"
    assert answered("prove", "--check", "o.json").out.splitlines()[0] == first
    header = re.search(r"^p cnf (\d+) (\d+)$", (folder / "o.cnf").read_text(), re.MULTILINE)
    assert header is not None
    assert (folder / "o.cnf").read_text().count(" 0\n") == int(header[2]) - 1 + 1
    assert (folder / "o.drup").read_text().endswith("\n0\n")
    assert "c 1 is " in (folder / "o.cnf").read_text()
    assert lrat_fault((folder / "o.cnf").read_text(), (folder / "o.lrat").read_text()) is None
    again = answered("prove", "--check", "o.json", "--export", "again.cnf")
    assert again.out.splitlines()[-1] == "clauses in again.cnf, their refutation in again.drup and again.lrat"
    assert (folder / "again.cnf").read_text() == (folder / "o.cnf").read_text()
    # To export is to prove by clauses.
    assert "lemma" in answered("prove", "4x6", "--export", "p.cnf").out


def test_models(folder: Path) -> None:
    (folder / "m.cnf").write_text("c 1 a\np cnf 2 4\n1 2 0\n-1 2 0\n1 -2 0\n-1 -2 0\n")
    said = answered("prove", "m.cnf", "--export", "out.cnf")
    assert said.out.splitlines() == [
        "no solution: 4 clauses state the model, 2 lemmas refute them",
        "clauses in out.cnf, their refutation in out.drup and out.lrat",
    ]
    assert lrat_fault((folder / "out.cnf").read_text(), (folder / "out.lrat").read_text()) is None
    data = answered("prove", "m.cnf", "--json").json
    assert (data["status"], data["instance"]) == ("impossible", "m.cnf")
    (folder / "m.opb").write_text("* #variable= 2 #constraint= 1\n+1 x1 +1 x2 >= 1 ;\n")
    assert answered("prove", "m.opb", status=1).out == "there is a solution\n"
    for options in (["--open"], ["--argument", "order"], ["--certificate", "c.json"]):
        assert refused("prove", "m.cnf", *options).startswith("m.cnf is a model: of the options about tours")


def test_a_certificate_that_does_not_hold(folder: Path) -> None:
    answered("prove", "3x8", "--certificate", "c.json")
    data = json.loads((folder / "c.json").read_text())
    data["certificate"]["lemmas"] = [[]]
    from ktsolve.proof.certificate import digest

    changed = {**data, "sha256": digest(data["certificate"])}
    (folder / "d.json").write_text(json.dumps(changed))
    said = answered("prove", "--check", "d.json", status=1)
    assert said.out == "not valid: lemma 1 does not follow\n"
    assert (
        answered("prove", "--check", "d.json", "--json", status=1).json["reason"] == "lemma 1 does not follow"
    )
    assert "d.cnf" not in names_in(folder)
    (folder / "e.json").write_text(json.dumps(data))
    assert refused("prove", "--check", "e.json").startswith("e.json: the sha256 does not match")


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ("", "give a BOARD, such as 4x6, or --check FILE"),
        ("4+6", "'4+6' is not a board: write ROWSxCOLUMNS, such as 3x10"),
        (
            "4x6 --argument faith",
            "argument 'faith' is unknown: use auto, parts, degrees, symmetry, sums, order, clauses",
        ),
        ("3x8 --argument parts", "no argument by parts"),
        ("4x6 --certificate no/c.json", "cannot write no/c.json: No such file or directory"),
        ("4x6 --export c.txt", "--export c.txt: "),
        ("4x6 --export no/c.cnf", "cannot write no/c.cnf: No such file or directory"),
        ("4x6 --argument parts --export c.cnf", "only an argument by clauses can be exported"),
        ("--check nowhere", "nowhere: cannot be read: No such file or directory"),
        ("4x6 --json --certificate -", "--json and --certificate - both write to standard output"),
        (
            "--check -",
            "standard input: not a certificate, as ktsolve prove --certificate writes it: not JSON: ",
        ),
        ("--check c.json --certificate d.json", "--check cannot be used with --certificate"),
        ("--check c.json --open", "options of the problem need a BOARD"),
        ("--certificate c.json", "give a BOARD, such as 4x6, or --check FILE"),
        ("3x8 --solver nobody", "SAT solver 'nobody' is unknown"),
        ("3x8 --solver minisat22", "SAT solver 'minisat22' "),
        ("3x8 --timeout soon", "--timeout 'soon'"),
    ],
)
def test_bad_input(arguments: str, message: str, folder: Path) -> None:
    assert refused("prove", *arguments.split()).startswith(message)
    assert names_in(folder) == []


def test_files_that_are_no_certificates(folder: Path) -> None:
    (folder / "raw").write_bytes(b"\xff\xfe\x00")
    assert refused("prove", "--check", "raw") == (
        "raw is not text: a certificate is a JSON object (it is UTF-16: write UTF-8)"
    )
    (folder / "tour.json").write_text(answered("tour", "3x10", "--json").out)
    assert refused("prove", "--check", "tour.json").startswith("tour.json: not a certificate")


@pytest.mark.full
def test_limits() -> None:
    begun = time.monotonic()
    said = ktsolve(*HARD, "--timeout", "1", "--json")
    assert said.status == 3
    assert said.complaint.startswith("stopped at the time limit of 1 s, the refutation is not complete")
    assert (said.json["status"], said.json["reason"]) == ("unknown", said.complaint)
    assert time.monotonic() - begun < 15
    assert process(*HARD, "--memory", "80M", "--timeout", "60").complaint.startswith(
        "the SAT solver stopped at the memory limit of 80 MiB, the refutation is not complete"
    )
    complaint = refused("prove", "40x40", "--open", "--memory", "32M", status=3)
    assert re.search(r"clauses, .* memory limit of 32 MiB", complaint)
    # Within limits that are large enough the answer is the same.
    with_limits = answered("prove", "3x8", "--timeout", "60", "--memory", "2G", "--certificate", "a.json")
    assert with_limits.out == answered("prove", "3x8", "--certificate", "a.json").out


@pytest.mark.full
@pytest.mark.parametrize("limits", [full([]), ["--timeout", "60"]])
def test_ctrl_c(limits: list[str]) -> None:
    said, seconds = interrupted([*HARD, *limits], busy=1.2)
    assert seconds < 15
    assert said == Said(3, "", "ktsolve: interrupted\n")


def test_help_and_pipes() -> None:
    said = process("prove", "--help")
    assert said.status == 0
    assert "--certificate" in said.out
    assert "[BOARD]" in said.out
    text = answered("prove", "4x6", "--certificate", "-").out
    assert answered("prove", "4x6", "--check", "-", given=text.encode()).out.startswith("valid: ")
