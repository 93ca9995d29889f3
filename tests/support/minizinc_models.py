"""Models in MiniZinc, as its benchmarks have them, small enough to compare all solutions with Gecode's."""

from __future__ import annotations

__all__ = ["MODELS"]

MODELS: dict[str, str] = {
    "queens": """
        include "all_different.mzn";
        array[1..6] of var 1..6: q;
        constraint all_different(q);
        constraint all_different([q[i] + i | i in 1..6]);
        constraint all_different([q[i] - i | i in 1..6]);
        solve satisfy;""",
    "send more money": """
        include "all_different.mzn";
        var 1..9: S; var 0..9: E; var 0..9: N; var 0..9: D;
        var 1..9: M; var 0..9: O; var 0..9: R; var 0..9: Y;
        constraint 1000*S + 100*E + 10*N + D + 1000*M + 100*O + 10*R + E
            = 10000*M + 1000*O + 100*N + 10*E + Y;
        constraint all_different([S, E, N, D, M, O, R, Y]);
        solve satisfy;""",
    "magic square": """
        include "all_different.mzn";
        array[1..3, 1..3] of var 1..9: s;
        constraint all_different([s[i, j] | i, j in 1..3]);
        constraint forall(i in 1..3)(sum(s[i, ..]) = 15 /\\ sum(s[.., i]) = 15);
        constraint sum(i in 1..3)(s[i, i]) = 15 /\\ sum(i in 1..3)(s[i, 4 - i]) = 15;
        solve satisfy;""",
    "knapsack": """
        array[1..5] of int: w = [3, 4, 5, 9, 14];
        array[1..5] of int: v = [3, 4, 4, 10, 15];
        array[1..5] of var 0..3: n;
        constraint sum(i in 1..5)(w[i] * n[i]) <= 29;
        var int: z = sum(i in 1..5)(v[i] * n[i]);
        solve maximize z;
        output ["\\(z)"];""",
    "map of Australia": """
        enum COLOUR = {red, green, blue};
        enum STATE = {WA, NT, SA, Q, NSW, V, T};
        array[STATE] of var COLOUR: c;
        constraint c[WA] != c[NT] /\\ c[WA] != c[SA] /\\ c[NT] != c[SA] /\\ c[NT] != c[Q] /\\ c[SA] != c[Q];
        constraint c[SA] != c[NSW] /\\ c[SA] != c[V] /\\ c[Q] != c[NSW] /\\ c[NSW] != c[V];
        solve satisfy;""",
    "golomb ruler": """
        include "all_different.mzn";
        array[1..5] of var 0..25: mark;
        constraint mark[1] = 0 /\\ forall(i in 1..4)(mark[i] < mark[i + 1]);
        constraint all_different([mark[j] - mark[i] | i, j in 1..5 where i < j]);
        solve minimize mark[5];
        output ["\\(mark[5])"];""",
    "job shop": """
        array[1..2, 1..3] of var 0..20: s;
        array[1..2, 1..3] of int: d = [| 3, 2, 2 | 2, 1, 4 |];
        array[1..2, 1..3] of int: on = [| 1, 2, 3 | 2, 3, 1 |];
        constraint forall(j in 1..2, k in 1..2)(s[j, k] + d[j, k] <= s[j, k + 1]);
        constraint forall(k, l in 1..3 where on[1, k] = on[2, l])(
            s[1, k] + d[1, k] <= s[2, l] \\/ s[2, l] + d[2, l] <= s[1, k]);
        var 0..20: end = max(j in 1..2)(s[j, 3] + d[j, 3]);
        solve minimize end;
        output ["\\(end)"];""",
    "cumulative": """
        include "cumulative.mzn";
        array[1..4] of var 0..4: s;
        array[1..4] of var 1..2: r;
        constraint cumulative(s, [2, 1, 3, 2], r, 3);
        constraint sum(r) = 6 /\\ s[1] < s[2] /\\ s[4] = 1;
        solve satisfy;""",
    "disjunctive": """
        include "disjunctive.mzn";
        array[1..3] of var 0..5: s;
        array[1..3] of var 0..2: d;
        constraint disjunctive(s, d) /\\ sum(d) = 5;
        solve satisfy;""",
    "regular": """
        include "regular.mzn";
        array[1..6] of var 1..2: x;
        constraint regular(x, 3, 2, [| 2, 1 | 3, 1 | 0, 1 |], 1, {1, 2});
        solve satisfy;""",
    "global cardinality": """
        include "global_cardinality.mzn";
        array[1..4] of var 1..4: x;
        array[1..3] of var 0..2: n;
        constraint global_cardinality(x, [1, 2, 4], n) /\\ n[1] > n[2];
        solve satisfy;""",
    "cardinality closed": """
        include "global_cardinality_low_up_closed.mzn";
        array[1..4] of var 1..5: x;
        constraint global_cardinality_low_up_closed(x, [1, 2, 4], [1, 0, 1], [2, 1, 3]);
        solve satisfy;""",
    "cardinality alone": """
        include "global_cardinality_closed.mzn"; include "disjunctive_strict.mzn";
        array[1..4] of var 1..4: x;
        constraint global_cardinality_closed(x, [1, 4, 3], [1, 2, x[2]]);
        constraint disjunctive_strict([x[1], x[2]], [0, x[3]]);
        solve satisfy;""",
    "circuit": """
        include "circuit.mzn";
        array[0..4] of var 0..4: next;
        array[0..4, 0..4] of int: d = array2d(0..4, 0..4, [(7*i*i + 3*j*i + 5*j) mod 11 | i, j in 0..4]);
        constraint circuit(next);
        var 0..50: length = sum(i in 0..4)(d[i, next[i]]);
        solve minimize length;
        output ["\\(length)"];""",
    "subcircuit": """
        include "subcircuit.mzn";
        array[2..5] of var 1..6: next;
        constraint subcircuit(next) /\\ next[3] != 3;
        solve satisfy;""",
    "inverse": """
        include "inverse.mzn";
        array[0..3] of var 1..4: f;
        array[1..4] of var 0..3: g;
        constraint inverse(f, g) /\\ f[1] > f[2];
        solve satisfy;""",
    "table": """
        include "table.mzn";
        array[1..3] of var 0..5: x;
        constraint table(x, [| 1, 2, 3 | 0, 5, 5 | 2, 2, 2 | 7, 1, 1 |]) /\\ x[1] != 2;
        solve satisfy;""",
    "lex": """
        include "lex_less.mzn"; include "lex_lesseq.mzn";
        array[1..3] of var 0..1: a; array[0..1] of var 0..2: b; array[1..3] of var 0..1: c;
        constraint lex_less(a, b) /\\ lex_lesseq(c, a) /\\ lex_lesseq(b, c);
        solve satisfy;""",
    "increasing": """
        include "increasing.mzn"; include "decreasing.mzn"; include "strictly_increasing.mzn";
        array[1..3] of var 1..3: x; array[1..3] of var bool: b; array[1..2] of var 1..4: y;
        constraint increasing(x) /\\ decreasing(b) /\\ strictly_increasing(y);
        solve satisfy;""",
    "precedence": """
        include "value_precede_chain.mzn"; include "value_precede.mzn";
        array[1..4] of var 1..3: x;
        constraint value_precede_chain([1, 2, 3], x) /\\ value_precede(3, 2, [x[4], x[3], x[2]]);
        solve satisfy;""",
    "division": """
        var -5..5: a; var -3..3: b; var -9..9: q; var -9..9: r;
        constraint q = a div b /\\ r = a mod b;
        solve satisfy;""",
    "undefined": """
        var 0..4: a; var 0..2: b; array[1..3] of int: t = [5, 2, 2];
        constraint (a div b = 2 \\/ t[a] = 2) /\\ (b > 0 -> a mod b = 1);
        solve satisfy;""",
    "powers": """
        var 1..4: a; var 0..3: b; var 0..70: c;
        constraint c = pow(a, b) /\\ a * b <= 6 /\\ abs(a - b) > 0;
        solve satisfy;""",
    "element": """
        array[1..4] of var 0..3: x; var 0..6: i; array[1..3] of var bool: b;
        constraint x[i] = i /\\ b[x[1]] /\\ not b[x[2]] /\\ sum(x) = 7;
        solve satisfy;""",
    "logic": """
        array[1..5] of var bool: p;
        constraint (p[1] -> p[2] /\\ p[3]) /\\ (p[4] <-> (p[1] xor p[5]));
        constraint not (p[2] /\\ not p[5] \\/ p[3]);
        constraint xorall([p[1], p[2], p[4]]) \\/ exists(p);
        solve satisfy;""",
    "odd": """
        array[1..5] of var bool: p;
        constraint xorall(p) /\\ sum(p) != 3;
        solve satisfy;""",
    "holes": """
        var {1, 3, 7, 8}: x; var -2..9: y;
        constraint y in {0, 1, 3, 4, 9} /\\ (x in 2..7 <-> y > 2) /\\ x != y;
        solve satisfy;""",
    "optional": """
        var opt 1..3: o; var 1..3: x;
        constraint occurs(o) <-> x > 1;
        constraint occurs(o) -> deopt(o) != x;
        solve satisfy;""",
    "counts": """
        include "count.mzn"; include "nvalue.mzn"; include "at_most.mzn"; include "among.mzn";
        array[1..4] of var 1..3: x; var 0..4: n;
        constraint n = count(x, 2) /\\ nvalue(n, x) /\\ at_most(2, x, 1) /\\ among(3, x, {1, 3});
        solve satisfy;""",
    "bin packing": """
        include "bin_packing_load.mzn"; include "maximum.mzn"; include "minimum.mzn";
        array[1..5] of var 1..2: bin; array[1..2] of var 0..20: load;
        constraint bin_packing_load(load, bin, [4, 3, 5, 2, 6]);
        constraint max(load) - min(load) <= 2 /\\ bin[1] = 1;
        solve satisfy;""",
    "diffn": """
        include "diffn.mzn";
        array[1..3] of var 0..2: x; array[1..3] of var 0..1: y;
        constraint diffn(x, y, [2, 1, 1], [1, 2, 1]);
        solve satisfy;""",
    "impossible": """
        var 1..3: x; var bool: b;
        constraint (b <-> x > 1) /\\ (not b <-> x = 2);
        constraint b \\/ x = 3;
        solve satisfy;""",
    "sort": """
        include "sort.mzn"; include "all_equal.mzn"; include "arg_max.mzn";
        array[1..3] of var 1..3: x; array[1..3] of var 1..3: y; var 1..3: i;
        constraint sort(x, y) /\\ not all_equal(x) /\\ i = arg_max(x);
        solve satisfy;""",
}
"""Models by name. Those with an objective print its value alone."""
