// Finds the states of a strip and their successors, by a search from the empty state.
//
// The steps of a column (frontier/plan.hpp) are those of the middle column of a finite strip that is so long
// that what a step looks at lies inside it. At the boundary of a column a state is renamed: slot d * rows + r
// for row r of the d-th column of the frontier, so that one compiled column serves for all.
#include <algorithm>
#include <optional>
#include <set>
#include <stdexcept>
#include <tuple>
#include <utility>

#include "common/integers.hpp"
#include "frontier/plan.hpp"
#include "frontier/states.hpp"
#include "frontier/table.hpp"
#include "strip/layers.hpp"

namespace ktsolve {

using namespace frontier;

int Strip::reach() const {
    int most = 0;
    for (const StripEdge& edge : edges) most = std::max(most, edge.ahead);
    return std::max(most, 1);
}

void Strip::validate() const {
    if (rows < 1 || rows > kWidestFrontier) throw std::invalid_argument("rows out of range");
    std::set<std::tuple<int, int, int>> seen;
    const auto ordered = [](int from, int to, int ahead) {
        return ahead == 0 && to < from ? std::tuple(to, from, 0) : std::tuple(from, to, ahead);
    };
    for (const StripEdge& edge : edges) {
        const bool inside = edge.from >= 0 && edge.from < rows && edge.to >= 0 && edge.to < rows;
        if (!inside || edge.ahead < 0 || edge.ahead > kWidestFrontier)
            throw std::invalid_argument("an edge leads out of the strip");
        if (edge.ahead == 0 && edge.from == edge.to) throw std::invalid_argument("an edge is a loop");
        if (!seen.insert(ordered(edge.from, edge.to, edge.ahead)).second)
            throw std::invalid_argument("an edge is there twice");
    }
    for (const std::vector<int>& images : symmetries) {
        std::vector<int> sorted = images;
        std::sort(sorted.begin(), sorted.end());
        bool fits = static_cast<int>(images.size()) == rows;
        for (int row = 0; fits && row < rows; ++row) fits = sorted[row] == row;
        for (const StripEdge& edge : edges)
            fits = fits && seen.count(ordered(images[edge.from], images[edge.to], edge.ahead)) == 1;
        if (!fits) throw std::invalid_argument("a symmetry does not keep the edges");
    }
}

namespace {

// A slot at the boundary of a column, and the slot of the same vertex in the plan.
using Renaming = std::vector<std::pair<int, int>>;

class FiniteStrip {
  public:
    explicit FiniteStrip(const Strip& strip)
        : strip_(strip), reach_(strip.reach()), columns_(4 * strip.reach() + 2), plan_(make_plan(graph())) {}

    int slots() const { return std::max(plan_.slots, boundary_slots()); }
    int boundary_slots() const { return reach_ * strip_.rows + strip_.open; }
    const Step& step(int column, int row) const { return plan_.steps[vertex(column, row)]; }
    int middle() const { return reach_; }              // a column like all others
    int last() const { return columns_ - reach_ - 1; } // the first of the last columns
    int columns() const { return columns_; }

    // The vertices that are in the frontier before a column.
    Renaming boundary(int column) const {
        Renaming renaming;
        for (int ahead = 0; ahead < reach_; ++ahead)
            for (int row = 0; row < strip_.rows; ++row) {
                const bool entered =
                    std::any_of(strip_.edges.begin(), strip_.edges.end(),
                                [&](const StripEdge& edge) { return edge.to == row && edge.ahead > ahead; });
                if (entered)
                    renaming.emplace_back(ahead * strip_.rows + row, step(column + ahead, row).here.slot);
            }
        if (strip_.open) renaming.emplace_back(reach_ * strip_.rows, plan_.steps.back().here.slot);
        return renaming;
    }

  private:
    int vertex(int column, int row) const { return column * strip_.rows + row; }

    Graph graph() const {
        Graph graph;
        graph.vertices = columns_ * strip_.rows + strip_.open;
        for (int column = 0; column < columns_; ++column)
            for (const StripEdge& edge : strip_.edges) {
                if (column + edge.ahead >= columns_) continue;
                const int u = vertex(column, edge.from), v = vertex(column + edge.ahead, edge.to);
                graph.edges.emplace_back(std::min(u, v), std::max(u, v));
            }
        if (strip_.open)
            for (int v = 0; v + 1 < graph.vertices; ++v) graph.edges.emplace_back(v, graph.vertices - 1);
        graph.required.assign(graph.edges.size(), 0);
        return graph;
    }

    const Strip& strip_;
    int reach_;
    int columns_;
    Plan plan_;
};

template <class KeyT> KeyT renamed(const KeyT& key, const Renaming& renaming, bool back) {
    std::array<int, KeyT::kSlots> to{};
    for (const auto& [boundary, plan] : renaming) to[back ? plan : boundary] = back ? boundary : plan;
    KeyT made{};
    for (const auto& [boundary, plan] : renaming) {
        unsigned code = key.get(back ? plan : boundary);
        if (code == kUntouched) continue;
        if (code >= kMate) code = kMate + static_cast<unsigned>(to[code - kMate]);
        made.set(back ? boundary : plan, code);
    }
    return made;
}

// The least image of a state at a boundary under the symmetries of the strip.
template <class KeyT> class Folding {
  public:
    Folding(const Strip& strip, int slots) {
        for (const std::vector<int>& images : strip.symmetries) {
            Renaming& renaming = renamings_.emplace_back();
            const int reach = strip.reach();
            for (int ahead = 0; ahead < reach; ++ahead)
                for (int row = 0; row < strip.rows; ++row)
                    renaming.emplace_back(ahead * strip.rows + row, ahead * strip.rows + images[row]);
            if (strip.open) renaming.emplace_back(slots - 1, slots - 1);
        }
    }
    KeyT operator()(const KeyT& key) const {
        KeyT least = key;
        for (const Renaming& renaming : renamings_) {
            const KeyT image = renamed(key, renaming, false);
            if (image.word < least.word) least = image;
        }
        return least;
    }

  private:
    std::vector<Renaming> renamings_;
};

// The states of a layer by number.
template <class KeyT> class Numbered {
  public:
    u32 number(const KeyT& key) {
        if (table_.crowded()) table_.grow();
        const auto [entry, fresh] = table_.find_or_add(key, key.hash());
        if (fresh) {
            if (keys_.size() >= UINT32_MAX) throw Stopped{Status::out_of_memory};
            entry->value = static_cast<u32>(keys_.size());
            keys_.push_back(key);
        }
        return entry->value;
    }
    void add_empty() { keys_.push_back(KeyT{}); }
    std::size_t size() const { return keys_.size(); }
    const KeyT& operator[](std::size_t i) const { return keys_[i]; }
    // With what the next thousand states may add.
    u64 bytes() const {
        return table_.bytes() + (table_.crowded() ? table_.bytes_to_grow() : 0) +
               keys_.capacity() * sizeof(KeyT);
    }

  private:
    Table<KeyT, u32> table_;
    std::vector<KeyT> keys_;
};

template <class KeyT> class Compiler {
  public:
    Compiler(const Strip& strip, const FiniteStrip& finite, StripWork& work)
        : strip_(strip), finite_(finite), work_(work), states_(strip.rows) {}

    StripTransfer::Layers run() {
        layers_.next.resize(strip_.rows);
        states_[0].add_empty(); // state 0: nothing begun
        while (layers_.next[0].size() < states_[0].size())
            for (int row = 0; row < strip_.rows; ++row) expand(row);
        find_ends();
        return std::move(layers_);
    }

  private:
    void expand(int row) {
        const Successors<KeyT> successors(finite_.step(finite_.middle(), row));
        const bool first = row == 0, last = row + 1 == strip_.rows;
        Lists& lists = layers_.next[row];
        for (std::size_t n = lists.size(); n < states_[row].size(); ++n) {
            if (n % 1024 == 0) check();
            const KeyT key = first ? renamed(states_[0][n], in_, false) : states_[row][n];
            successors.of(
                key,
                [&](const KeyT& to, Choice) {
                    lists.to.push_back(last ? states_[0].number(fold_(renamed(to, out_, true)))
                                            : states_[row + 1].number(to));
                },
                [](Choice) { throw std::logic_error("a cycle closed in the middle of a strip"); });
            lists.close();
        }
    }

    // The ways to complete each state in the last columns: a sweep that keeps its layers, and back.
    void find_ends() {
        std::vector<Lists> lists;
        std::vector<std::vector<u64>> closed;
        std::vector<KeyT> now;
        const Renaming in = finite_.boundary(finite_.last());
        for (std::size_t n = 0; n < states_[0].size(); ++n) now.push_back(renamed(states_[0][n], in, false));
        for (int column = finite_.last(); column < finite_.columns(); ++column)
            for (int row = 0; row < strip_.rows; ++row) {
                const Successors<KeyT> successors(finite_.step(column, row));
                Numbered<KeyT> later;
                Lists& made = lists.emplace_back();
                std::vector<u64>& closing = closed.emplace_back(now.size(), 0);
                for (std::size_t n = 0; n < now.size(); ++n) {
                    if (n % 1024 == 0) check(lists, later.bytes() + now.capacity() * sizeof(KeyT));
                    successors.of(
                        now[n], [&](const KeyT& to, Choice) { made.to.push_back(later.number(to)); },
                        [&](Choice) { ++closing[n]; });
                    made.close();
                }
                now.clear();
                for (std::size_t n = 0; n < later.size(); ++n) now.push_back(later[n]);
            }
        std::vector<u64> ways(now.size(), 0);
        for (std::size_t layer = lists.size(); layer-- > 0;) {
            std::vector<u64> before = std::move(closed[layer]);
            for (std::size_t n = 0; n < before.size(); ++n)
                for (const u32* to = lists[layer].begin(n); to != lists[layer].end(n); ++to)
                    if (add_overflows(before[n], ways[*to], &before[n]))
                        throw std::length_error("a column has too many vertices");
            ways = std::move(before);
        }
        layers_.end = std::move(ways);
    }

    void check(const std::vector<Lists>& more = {}, u64 bytes = 0) {
        bytes += layers_.bytes();
        u64 states = 0;
        for (const Numbered<KeyT>& each : states_) bytes += each.bytes(), states += each.size();
        for (const Lists& each : more) bytes += each.bytes();
        work_.holds(bytes);
        work_.poll(states);
    }

    const Strip& strip_;
    const FiniteStrip& finite_;
    StripWork& work_;
    std::vector<Numbered<KeyT>> states_;
    StripTransfer::Layers layers_;
    Renaming in_ = finite_.boundary(finite_.middle()), out_ = finite_.boundary(finite_.middle() + 1);
    Folding<KeyT> fold_{strip_, finite_.boundary_slots()};
};

} // namespace

StripTransfer::Layers compiled_strip(const Strip& strip, StripWork& work) {
    const FiniteStrip finite(strip);
    StripTransfer::Layers layers;
    with_key(finite.slots(), [&](auto key) { layers = Compiler<decltype(key)>(strip, finite, work).run(); });
    return layers;
}

} // namespace ktsolve
