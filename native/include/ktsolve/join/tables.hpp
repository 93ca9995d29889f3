// Half tables that are kept in memory, so that each of them can be joined with many others.
//
// Counting open tours by their ends takes a hundred joins of few tables. An end is an edge to one extra
// vertex, the last of the separator. A half table depends only on which vertices of its own half are ends;
// ends in the separator are deferred edges. All tops that are joined with the same bottom share one
// contraction (join/workspace.hpp).
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "ktsolve/common/control.hpp"
#include "ktsolve/common/graph.hpp"
#include "ktsolve/join/count.hpp"

namespace ktsolve {

// How a table is made. Vertices are those of a graph.
struct HalfPlan {
    std::vector<int> eliminate; // in this order
    // What stays: slot i holds separator[i]. The last is the extra vertex, whose edges into the half are
    // required.
    std::vector<int> separator;
    std::vector<int> mirror; // image of every vertex, to fold the table by, or empty

    // Throws std::invalid_argument when it does not fit the graph.
    void validate(const Graph& graph) const;
};

struct TableReport {
    Status status = Status::done;
    bool overflow = false; // counts did not fit
    int table = -1;        // number of the new table
    bool folded = false;
    std::vector<LayerReport> layers;
    std::uint64_t transitions = 0, bytes = 0;
};

// A table, and the deferred edges of its side.
struct TableSide {
    struct Edge {
        int p, q; // slots
        bool required;
    };
    int table;
    std::vector<Edge> deferred;
};

struct TablesReport {
    Status status = Status::done;
    bool overflow = false; // counts did not fit
    // For each top: limbs of the number of cycles times the divisor (1, 2 or 4: what folding multiplied it
    // by).
    std::vector<std::vector<std::uint64_t>> counts;
    std::vector<std::uint64_t> divisors;
    std::uint64_t patterns = 0, extended = 0;
};

class JoinTables {
  public:
    // `separator` counts the vertices of the separator without the extra one; `bytes` is for all tables
    // together. Throws std::length_error for too many.
    JoinTables(int separator, int threads, std::uint64_t bytes);
    ~JoinTables();

    // Throws std::invalid_argument for a half that does not fit, std::length_error for a frontier too wide.
    TableReport make(const Graph& graph, const HalfPlan& half, double seconds, Monitor* monitor = nullptr);
    void drop(int table);

    // Cycles made of each top with the bottom. The tops are tables of one half, and all give the extra vertex
    // the same degree. Throws std::invalid_argument for tables that do not fit together.
    TablesReport join(const std::vector<TableSide>& tops, const TableSide& bottom, double seconds,
                      Monitor* monitor = nullptr);

    std::uint64_t peak_bytes() const;

  private:
    struct Inside;
    struct Joined;
    std::unique_ptr<Inside> inside_;
};

} // namespace ktsolve
