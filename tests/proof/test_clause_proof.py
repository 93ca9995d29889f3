"""Refutations of models as DIMACS, DRUP and LRAT."""

from __future__ import annotations

import random
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from lrat import lrat_fault
from proof_cases import asked
from strategies import examples, refusal

from ktsolve.base.limits import Settings
from ktsolve.model.model import Model
from ktsolve.proof.certificate import Certificate
from ktsolve.proof.clause_proof import of_certificate, refute_model
from ktsolve.proof.maker import prove
from ktsolve.tasks.count import count


def random_model(chance: random.Random) -> Model:
    """Clauses, bounds and integers, with a solution in about half of the cases."""
    model = Model()
    x = model.booleans(5, "x")
    y = model.integers(2, 0, 3, "y")
    for _ in range(chance.randrange(4, 11)):
        few = chance.sample([*x, *(~each for each in x)], 3)
        model.clause(*few[: chance.randrange(1, 4)])
    model.at_least(chance.randrange(4), x)
    model.add(y[0] + y[1] == sum(x) + chance.randrange(3), y[0] < y[1])
    return model


@examples(30)
@given(st.integers(0, 2**32), st.sampled_from(["cadical153", "glucose4"]))
def test_a_refutation_exists_exactly_without_solution(seed: int, solver: str) -> None:
    model = random_model(random.Random(seed))
    found = refute_model(model, Settings(), solver)
    assert (found is None) == (count(model).count > 0)
    if found is not None:
        assert lrat_fault(found.dimacs, found.lrat()) is None


def test_a_changed_proof_is_refused() -> None:
    """Proofs with another literal or hint: few hold, by chance."""
    chance, seen = random.Random(1), Counter[bool]()
    pigeons = Model()
    sits = pigeons.booleans((4, 3), "sits")
    for row in sits:
        pigeons.at_least(1, row)
    for hole in sits.T:
        pigeons.at_most(1, hole)
    proof = refute_model(pigeons, Settings())
    assert proof is not None
    lines = proof.lrat().splitlines()
    assert len(lines) > 3
    for _ in range(200):
        place = chance.randrange(len(lines))
        words = lines[place].split()
        which = chance.randrange(1, len(words) - 1)
        words[which] = str(-int(words[which]) or 7)
        changed = "\n".join([*lines[:place], " ".join(words), *lines[place + 1 :]])
        seen[lrat_fault(proof.dimacs, changed) is None] += 1
    assert seen[False] > 150
    assert lrat_fault(proof.dimacs, "\n".join(lines[:-1])) == "the empty clause is missing"


def test_certificates_as_files_of_other_checkers() -> None:
    dratify = pytest.importorskip("dratify", reason="the extra proof is not installed")
    certificate = prove(asked({"board": "4x4", "closed": False}), argument="clauses")
    assert isinstance(certificate, Certificate)
    proof = of_certificate(certificate)
    formula = dratify.parse_dimacs(proof.dimacs + "\n")
    assert dratify.check_proof(formula, proof.drup + "\n", check_rat=False, engine="python").ok
    assert lrat_fault(proof.dimacs, proof.lrat()) is None
    assert "c 2 is a4-b2\n" in proof.dimacs
    removal = prove(asked({"board": "4x4", "closed": False}))
    assert "only an argument by clauses" in refusal(of_certificate, removal)


def test_clauses_that_unit_propagation_refutes() -> None:
    model = Model()
    x = model.boolean("x")
    model.fix(x)
    model.fix(~x)
    proof = refute_model(model, Settings())
    assert proof is not None
    assert lrat_fault(proof.dimacs, proof.lrat()) is None
    empty = Model()
    empty.boolean("x")
    assert refute_model(empty, Settings()) is None
