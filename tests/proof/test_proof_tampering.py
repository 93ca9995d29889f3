"""Changed and forged certificates are rejected; a second checker agrees with ours."""

from __future__ import annotations

import functools
import itertools
import json
import random
import re
from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from proof_cases import asked, verdict
from strategies import examples, json_values, refusal

import ktsolve
from ktsolve.base.errors import BadInput, LimitReached, Refused
from ktsolve.base.limits import Limit
from ktsolve.problem.problem import TourProblem
from ktsolve.proof.certificate import Certificate, Clauses, digest, read_certificate
from ktsolve.proof.checker import all_clauses, check_certificate, check_lemmas, trim
from ktsolve.proof.maker import prove
from ktsolve.proof.problem_graph import read_problem
from ktsolve.proof.statement import state_graph

WHOLE: tuple[tuple[dict[str, Any], str], ...] = (
    ({"board": "4x6", "closed": True}, "auto"),
    ({"board": "4x6", "closed": True, "symmetry": "flip-v"}, "symmetry"),
    ({"board": "3x8", "closed": True}, "clauses"),
    ({"board": "4x4", "closed": False}, "clauses"),
    ({"board": "3x3", "closed": False, "without": "b2", "start": "a1", "end": "a3"}, "clauses"),
    ({"board": "3x4", "closed": False, "starts": ["a3", "b2"], "order": ["a1,b2,c3,d1"]}, "clauses"),
    ({"board": "5x6", "closed": True, "require": ["a2-c3", "c1-d3", "b4-d5"]}, "clauses"),
    ({"board": "3x4", "closed": False, "sum": ["a1,b1=8"]}, "sums"),
)

NOT = "not a certificate, as ktsolve prove --certificate writes it"


@functools.cache
def text_of(number: int) -> str:
    words, argument = WHOLE[number]
    found = prove(asked(words), argument=argument)
    assert isinstance(found, Certificate)
    return found.to_text()


numbers = st.integers(0, len(WHOLE) - 1)


@given(numbers, st.data())
@examples(150)
def test_no_byte_can_be_changed(number: int, data: st.DataObject) -> None:
    """What is accepted after a byte was changed, lost or added is the same certificate."""
    text = text_of(number)
    where = data.draw(st.integers(0, len(text) - 1))
    byte = data.draw(st.characters(min_codepoint=32, max_codepoint=126))
    before, after = text[:where], text[where + 1 :]
    changed = before + data.draw(st.sampled_from([byte, "", byte + text[where]])) + after
    accepted = verdict(changed)
    assert accepted is None or accepted == read_certificate(text)


def test_no_bit_can_be_flipped() -> None:
    """All bits of a certificate, one after the other."""
    for number in (0, 4):
        text = text_of(number)
        assert verdict(text) is not None
        raw = text.encode("ascii")
        for where, bit in itertools.product(range(len(raw)), range(8)):
            changed = raw[:where] + bytes([raw[where] ^ 1 << bit]) + raw[where + 1 :]
            accepted = verdict(changed.decode("latin-1"))
            assert accepted is None or accepted == read_certificate(text)


def with_digest(body: dict[str, Any]) -> str:
    """A forged certificate with a correct digest."""
    return json.dumps({"schema": "ktsolve/1", "certificate": body, "sha256": digest(body)})


def body_of(number: int) -> dict[str, Any]:
    body = json.loads(text_of(number))["certificate"]
    assert isinstance(body, dict)
    return body


@given(numbers, st.data())
@examples(120)
def test_forged_certificates_prove_nothing_false(number: int, data: st.DataObject) -> None:
    """After a change of any value and of the digest, a certificate that is still accepted is true."""
    body = body_of(number)
    place: Any = body
    while True:
        key = data.draw(st.sampled_from(sorted(place) if isinstance(place, dict) else range(len(place))))
        if not isinstance(place[key], dict | list) or not place[key] or data.draw(st.integers(0, 9)) == 0:
            break
        place = place[key]
    old = place[key]
    near: list[st.SearchStrategy[Any]] = [json_values()]
    if type(old) is int:
        near += [st.sampled_from([-old, old + 1, old - 1, 0]), st.integers(-60, 60)] * 3
    elif isinstance(old, str):
        words = [old + " a1", old[:-3], "a1 b3", "3x10", "clauses", "parts", "symmetry"]
        near += [st.sampled_from(words)] * 3
    elif isinstance(old, list) and old:
        near += [st.permutations(old), st.just(old[:-1]), st.just(old[1:])]
    place[key] = data.draw(st.one_of(near))
    if data.draw(st.booleans()):
        body["claim"] = claimed(body)
    accepted = verdict(with_digest(body))
    if accepted is not None and len(accepted.problem.board) <= 30:
        assert ktsolve.find(accepted.problem).tour is None


def claimed(body: dict[str, Any]) -> Any:
    """The claim of the problem, if it can be read."""
    from ktsolve.problem.parameters import tour_problem

    try:
        return f"no tour: {tour_problem(body['problem'])}"
    except (BadInput, KeyError, TypeError, AttributeError):
        return body["claim"]


def test_other_boards_are_rejected() -> None:
    """A valid certificate is rejected for another board."""
    for number, size in ((2, "3x10"), (0, "5x6"), (3, "4x5")):
        body = body_of(number)
        body["problem"]["board"] = size
        body["claim"] = claimed(body)
        assert verdict(with_digest(body)) is None


def test_reasons() -> None:
    def fault(change: dict[str, Any], number: int = 2) -> str:
        body = {**body_of(number), **change}
        try:
            return str(check_certificate(read_certificate(with_digest(body))))
        except BadInput as error:
            return str(error)

    whole = body_of(2)
    assert fault({}) == "None"
    more = len(whole["clauses"]) + 1
    assert fault({"clauses": [*whole["clauses"], [-1]]}).startswith(f"clause {more} is not among those")
    assert fault({"clauses": [[-1]]}) == "lemma 1 does not follow"
    assert fault({"clauses": []}) == "lemma 1 does not follow"
    assert fault({"lemmas": whole["lemmas"][:-1]}) == "the lemmas do not derive the empty clause"
    assert fault({"lemmas": []}) == "the lemmas do not derive the empty clause"
    for literal in (0, 1 << 40):
        assert fault({"lemmas": [[literal]]}).startswith("certificate.lemmas[0] must be")
    assert fault({"cuts": [""]}).startswith("cut 1 ")
    every = " ".join(f"{file}{rank}" for rank in (3, 2, 1) for file in "abcdefgh")
    assert fault({"cuts": [every]}).startswith("cut 1 ")
    assert fault({"cuts": ["a9"]}).startswith("certificate.cuts[0]: cell 'a9' is off the 3x8 board")
    assert fault({"variables": {"1": "a3-b1"}}) == "variable 1 is not a3-b1"
    assert "certificate.variables" in fault({"variables": {"x": "a3-b1"}})
    assert "not in canonical form" in fault({"claim": "no tour: closed 3x10"})
    assert re.search("certificate.argument .*'faith'", fault({"argument": "faith"}))
    assert fault({"more": 1}).startswith("certificate.more is unknown: expected one of")
    assert fault({"argument": "parts"}) == "certificate.without is missing"
    assert "1 node leaves 1 component" in fault({"without": "a1"}, 0)
    assert re.search("certificate.without.*'outside'", fault({"without": "outside"}, 0))
    other = {**body_of(1)["problem"], "symmetry": "rot180"}
    symmetric = {"problem": other, "claim": claimed({"problem": other})}
    assert "the symmetry alone" in fault(symmetric, 1)
    text = text_of(0)
    assert refusal(read_certificate, text.replace("c", "d", 9)).startswith(
        "not a certificate: expected a JSON"
    )
    assert refusal(read_certificate, text[:-1]).startswith(f"{NOT}: not JSON: ")
    assert "sha256" in refusal(read_certificate, text.replace("4x6", "4x8"))
    assert refusal(read_certificate, text.replace("ktsolve/1", "ktsolve/2")) == (
        "schema must be 'ktsolve/1', not 'ktsolve/2'"
    )
    assert refusal(read_certificate, "[" * 100_000).startswith(f"{NOT}: not JSON")


@given(json_values())
@examples(50)
def test_anything_else_is_no_certificate(value: Any) -> None:
    for text in (json.dumps(value), json.dumps({"schema": "ktsolve/1", "certificate": value, "sha256": ""})):
        with pytest.raises((BadInput, Refused)):
            read_certificate(text)


# -- a second checker ---------------------------------------------------------------------------------------


def dratify_accepts(clauses: list[tuple[int, ...]], lemmas: list[tuple[int, ...]]) -> bool:
    dratify = pytest.importorskip("dratify", reason="the extra proof is not installed")
    most = max((abs(x) for clause in [*clauses, *lemmas] for x in clause), default=0)
    lines = [f"p cnf {most} {len(clauses)}", *(" ".join(map(str, [*clause, 0])) for clause in clauses)]
    formula = dratify.parse_dimacs("\n".join(lines) + "\n")
    proof = "".join(" ".join(map(str, [*lemma, 0])) + "\n" for lemma in lemmas)
    return bool(dratify.check_proof(formula, proof, check_rat=False, engine="python").ok)


def proofs() -> Iterator[tuple[list[tuple[int, ...]], list[tuple[int, ...]]]]:
    for number in (2, 3, 4, 6):
        certificate = read_certificate(text_of(number))
        assert isinstance(certificate.argument, Clauses)
        clauses = all_clauses(certificate.argument, read_problem(certificate.problem))
        yield clauses, list(certificate.argument.lemmas)


def test_dratify_accepts_what_we_accept() -> None:
    for clauses, lemmas in proofs():
        assert check_lemmas(clauses, lemmas) is None
        assert dratify_accepts(clauses, lemmas)


def test_dratify_rejects_what_we_reject() -> None:
    """After changes of literals, clauses and lemmas both checkers agree, on valid and invalid refutations."""
    chance = random.Random(0)
    seen = {True: 0, False: 0}
    for clauses, lemmas in proofs():
        for _ in range(25):
            given, said = [list(clause) for clause in clauses], [list(lemma) for lemma in lemmas]
            changed = chance.choice([given, said]) if len(said) > 1 else given
            which = chance.randrange(len(changed))
            if changed[which] and chance.random() < 0.7:
                literal = chance.randrange(len(changed[which]))
                changed[which][literal] *= -1
            elif which < len(changed) - 1 or changed is given:
                del changed[which]
            ours = check_lemmas(given, said) is None
            assert dratify_accepts([tuple(c) for c in given], [tuple(c) for c in said]) == ours
            seen[ours] += 1
    assert min(seen.values()) > 5


# -- trimming -----------------------------------------------------------------------------------------------


@given(st.integers(0, 2**32), st.sampled_from(["cadical153", "glucose4"]))
@examples(60)
def test_a_trimmed_refutation_is_one(seed: int, solver: str) -> None:
    """A trimmed refutation of random clauses is a refutation of some of them."""
    from pysat.solvers import Solver

    chance = random.Random(seed)
    clauses = [[chance.choice((1, -1)) * v for v in chance.sample(range(1, 13), 3)] for _ in range(75)]
    with Solver(name=solver, bootstrap_with=clauses, with_proof=True) as running:
        if running.solve():
            return
        lines = [str(line) for line in running.get_proof() if not str(line).startswith("d")]
    lemmas = [[int(word) for word in line.split()[:-1]] for line in lines]
    lemmas += [] if lemmas[-1:] == [[]] else [[]]
    needed = trim(clauses, lemmas)
    assert needed is not None
    of_clauses, of_lemmas = [clauses[i] for i in needed[0]], [lemmas[i] for i in needed[1]]
    assert len(of_lemmas) < len(lemmas)
    assert check_lemmas(of_clauses, [*of_lemmas, []]) is None
    assert trim(of_clauses, [*of_lemmas, []]) is not None
    if of_clauses:
        assert trim(of_clauses[:0], [[]]) is None


def test_a_large_literal_takes_no_memory() -> None:
    """Memory for the literals that there are, not for the numbers up to the largest."""
    import resource

    most = 2**30 - 1
    before = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    assert check_lemmas([[most, -7], [most, 7], [-most]], [[-7], []]) is None
    assert check_lemmas([[most, -7], [-most, 7]], [[-7], []]) == "lemma 1 does not follow"
    assert trim([[most, -7], [5], [most, 7], [-most]], [[-7, 9], []]) == ([0, 2, 3], [])
    body = {**body_of(2), "lemmas": [[most], []]}
    assert verdict(with_digest(body)) is None
    assert resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before < 100_000


@pytest.mark.full
def test_the_variables_of_a_large_board_are_compared_with_the_memory_limit() -> None:
    """A changed certificate may state a board whose cells at steps no memory holds."""
    graph = read_problem(TourProblem(board="3x500", closed=False, order=["a1,b2"]))
    with pytest.raises(LimitReached, match=r"more than [\d,]+ variables, which do not fit into the memory"):
        state_graph(graph, Limit(0, 100 << 20))
