// Tables of a strip, for the tests of the join: with and without threads.
#pragma once

#include <map>

#include "check.hpp"
#include "ktsolve/join/tables.hpp"

// Tables after each row of a board of six columns, each made from the one before it; any two are joined.
inline void check_tables_of_a_strip(int threads, int most_rows) {
    using namespace ktsolve;
    constexpr int kColumns = 6;
    const int cells = (most_rows + 2) * kColumns;
    const std::map<int, std::uint64_t> tours{{4, 0}, {5, 8}, {6, 9862}, {7, 1067638}, {8, 55488142}};
    const Graph board = knight_graph(most_rows + 2, kColumns);
    Graph part; // the edges of the half, and the extra vertex, without any
    part.vertices = cells + 1;
    HalfPlan half;
    TableSymmetries symmetries;
    std::vector<TableSide::Edge> edges;
    for (int v = 0; v < cells; ++v) half.mirror.push_back(v - v % kColumns + kColumns - 1 - v % kColumns);
    half.mirror.push_back(cells);
    for (int slot = 0; slot < 2 * kColumns; ++slot) {
        symmetries.flip.push_back((slot + kColumns) % (2 * kColumns));
        symmetries.mirror.push_back(half.mirror[static_cast<std::size_t>(slot)]);
    }
    for (int c = 0; c < 2; ++c) { // with their mirror images half of those between the two rows
        edges.push_back({c, kColumns + c + 2, false});
        edges.push_back({kColumns - 1 - c, 2 * kColumns - 1 - c - 2, false});
    }
    auto all_edges = edges; // of both halves
    for (const auto& [p, q, required] : edges)
        all_edges.push_back({symmetries.flip[static_cast<std::size_t>(p)],
                             symmetries.flip[static_cast<std::size_t>(q)], required});
    for (const std::uint64_t modulus : {std::uint64_t{0}, std::uint64_t{1021}}) {
        JoinTables tables(2 * kColumns, threads, std::uint64_t{1} << 30, modulus);
        std::vector<int> made{-1};
        for (int rows = 1; rows <= most_rows; ++rows) {
            part.edges.clear();
            for (const auto& edge : board.edges)
                if (edge.first < rows * kColumns) part.edges.push_back(edge);
            part.required.resize(part.edges.size());
            half.eliminate.clear();
            for (int row = 0; row < rows; ++row)
                for (const int c : {0, 5, 2, 3, 1, 4}) half.eliminate.push_back(row * kColumns + c);
            half.separator.clear();
            for (int v = rows * kColumns; v < (rows + 2) * kColumns; ++v) half.separator.push_back(v);
            half.separator.push_back(cells);
            half.grown_from = made.back();
            const TableReport report = tables.make(part, half, 1e9);
            CHECK(report.status == Status::done && report.folded);
            made.push_back(report.table);
            for (int other = 1; other <= rows; ++other) {
                const auto at = static_cast<std::size_t>(other);
                const std::uint64_t four = 4 * tours.at(rows + 2 + other);
                for (const bool shared : {true, false}) { // or one half has all of these edges
                    const TableSide top{made[at], shared ? edges : all_edges},
                        bottom{made.back(), shared ? edges : std::vector<TableSide::Edge>()};
                    const TablesReport found = tables.join({top}, bottom, 1e9, nullptr, symmetries);
                    CHECK(found.status == Status::done && found.divisors[0] == 4);
                    CHECK(found.counts[0][0] == (modulus == 0 ? four : four % modulus));
                }
            }
        }
        half.grown_from = made[1];
        std::swap(half.eliminate[0], half.eliminate[1]);
        CHECK_THROWS(tables.make(part, half, 1e9), std::invalid_argument); // in another order
        symmetries.flip[0] = 1;
        CHECK_THROWS(tables.join({{made[1], edges}}, {made[1], edges}, 1e9, nullptr, symmetries),
                     std::invalid_argument);
        symmetries.flip[0] = kColumns;
    }
}
