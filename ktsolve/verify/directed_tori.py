"""Hamiltonian cycles of directed tori from sums of powers, without a graph.

The vertices are the cells of a torus, with arcs down, to the right, and both. Cycles through different cells
do not cross, and every cycle winds around the torus. A simple closed curve does so in coprime numbers of
turns, and disjoint ones alike. So a cover by cycles with a turns in one direction and b in the other has
gcd(a, b) cycles: those with coprime numbers are the Hamiltonian cycles.

The determinant counts covers with the sign of the number of their cycles. All covers with the same turns have
the same sign, so that nothing cancels. With weights for the turns the matrix is u + v + uv for two commuting
shifts with u^rows = x and v^columns = y, and its determinant the product of u + v + uv over the roots.
"""

from __future__ import annotations

from math import comb, gcd

__all__ = ["covers_of_torus", "cycles_of_torus"]


def covers_of_torus(rows: int, columns: int) -> dict[tuple[int, int], int]:
    """Covers of a directed torus by vertex-disjoint cycles, by their turns.

    The product over v is u^columns - (-1 - u)^columns y; that over u is an elementary symmetric polynomial of
    (1 + 1/u)^columns for each power of y, and by Newton's identities comes from the sums of their powers.
    O(rows^2 columns^2) operations with integers of O(rows columns) bits.

    Parameters
    ----------
    rows, columns:
        The sides, 2 or more.

    Returns
    -------
    dict[tuple[int, int], int]
        For the turns from row to row and those from column to column the number of covers, if it is not 0.

    Examples
    --------
    >>> covers_of_torus(2, 2)  # the complete graph of four vertices: six cycles, and three pairs of cycles
    {(2, 0): 1, (2, 1): 2, (1, 1): 2, (2, 2): 1, (1, 2): 2, (0, 2): 1}
    """
    sums = [
        [rows * comb(columns * power, rows * turns) for turns in range(columns * power // rows + 1)]
        for power in range(rows + 1)
    ]
    symmetric = [[1]]
    for order in range(1, rows + 1):
        products = [0] * (columns * order // rows + 1)
        for power in range(1, order + 1):
            for low, one in enumerate(symmetric[order - power]):
                for high, other in enumerate(sums[power]):
                    products[low + high] -= (-1) ** power * one * other
        symmetric.append([each // order for each in products])
    return {
        (columns - left, right): abs(number)
        for right, each in enumerate(symmetric)
        for left, number in enumerate(each)
        if number
    }


def cycles_of_torus(rows: int, columns: int) -> int:
    """The Hamiltonian cycles of a directed torus, by :func:`covers_of_torus`.

    >>> cycles_of_torus(2, 2), cycles_of_torus(11, 6)
    (6, 2762921521)
    """
    return sum(number for turns, number in covers_of_torus(rows, columns).items() if gcd(*turns) == 1)
