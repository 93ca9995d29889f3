// Reads a diagram both ways: the cycle of a number, and the number of a cycle.
#include <algorithm>
#include <array>

#include "common/limbs.hpp"
#include "common/stopped.hpp"
#include "frontier/choices.hpp"
#include "frontier/records.hpp"

namespace ktsolve {

using namespace frontier;

namespace {

constexpr u64 kPolled = 256; // cycles between two polls

// The other ends and the parallel edges of the two edges that a cycle has at each vertex.
struct Links {
    struct Edge {
        std::int32_t to = -1;
        u8 parallel = 0;
    };
    explicit Links(int vertices) : at(static_cast<std::size_t>(vertices)) {}

    void clear() { std::fill(at.begin(), at.end(), std::array<Edge, 2>{}); }

    // False if one of the vertices has two edges already.
    bool add(int u, int v, u8 parallel) { return put(u, v, parallel) && put(v, u, parallel); }

    // False if the edge is not there.
    bool remove(int u, int v) { return take(u, v) && take(v, u); }

    // Appends the cycle; false if the edges are not a Hamiltonian cycle.
    bool append(Cycles& cycles, bool with_parallel) const {
        const std::size_t begin = cycles.vertices.size();
        std::int32_t before = -1, here = 0;
        for (std::size_t i = 0; i < at.size(); ++i) {
            const auto& [a, b] = at[static_cast<std::size_t>(here)];
            if (a.to < 0 || b.to < 0 || (i > 0 && here == 0)) {
                cycles.vertices.resize(begin);
                return false;
            }
            const bool first = before < 0 ? a.to < b.to : a.to != before;
            const Edge& next = first ? a : b;
            cycles.vertices.push_back(here);
            if (with_parallel) cycles.parallel.push_back(next.parallel);
            before = here;
            here = next.to;
        }
        return here == 0;
    }

    std::vector<std::array<Edge, 2>> at;

  private:
    bool put(int u, int v, u8 parallel) {
        auto& [a, b] = at[static_cast<std::size_t>(u)];
        Edge& free = a.to < 0 ? a : b;
        if (free.to >= 0) return false;
        free = {v, parallel};
        return true;
    }
    bool take(int u, int v) {
        for (Edge& edge : at[static_cast<std::size_t>(u)])
            if (edge.to == v) {
                edge = {};
                return true;
            }
        return false;
    }
};

struct Reader {
    explicit Reader(const FrontierDiagram& diagram)
        : plan(make_plan(diagram.graph, {}, diagram.parallel.empty())) {
        for (std::size_t s = 0; s < plan.steps.size(); ++s) {
            choices.emplace_back(plan.steps[s], diagram.parallel);
            records.emplace_back(diagram.layers.at(s), records_after(diagram, s), choices[s].variants.size());
        }
    }

    Plan plan;
    std::vector<StepChoices> choices;
    std::vector<Records> records;
};

// The choices of one cycle after the other. Those that a cycle shares with the one before are kept.
class Descent {
  public:
    explicit Descent(const FrontierDiagram& diagram)
        : diagram_(diagram), reader_(diagram), limbs_(static_cast<std::size_t>(diagram.limbs())),
          links_(diagram.graph.vertices), rest_(limbs_), before_(limbs_) {
        const std::size_t steps = diagram.layers.size();
        made_.reserve(steps);
        bounds_.resize((steps + 1) * 2 * limbs_, 0);
        std::copy(diagram.count.begin(), diagram.count.end(), end(0));
    }

    // Bytes of the bounds of all steps.
    static u64 bytes(const FrontierDiagram& diagram) {
        return (diagram.layers.size() + 1) * 2 * diagram.count.size() * sizeof(u64);
    }

    void go_to(const u64* index) {
        const int limbs = static_cast<int>(limbs_);
        while (!made_.empty() && !less_limbs(index, end(made_.size()), limbs)) made_.pop_back();
        if (!made_.empty() && made_.back().closes) return;
        u64 record = made_.empty() ? 0 : made_.back().target;
        while (true) {
            const std::size_t step = made_.size();
            if (step == reader_.records.size()) throw DamagedBytes();
            const Records& records = reader_.records[step];
            // The numbers of the cycles that pass the state begin with start(step).
            std::copy(index, index + limbs_, rest_.begin());
            subtract_limbs(rest_.data(), start(step), limbs);
            u64* from = start(step + 1);
            u64* to = end(step + 1);
            std::copy(start(step), start(step) + limbs_, from);
            std::copy(end(step), end(step) + limbs_, to);
            Link link = records.link(record);
            while (!link.last) {
                records.before(record + 1, before_.data(), limbs);
                if (less_limbs(rest_.data(), before_.data(), limbs)) {
                    std::copy(start(step), start(step) + limbs_, to);
                    add_limbs(to, before_.data(), limbs);
                    break;
                }
                link = records.link(++record);
                std::copy(start(step), start(step) + limbs_, from);
                add_limbs(from, before_.data(), limbs);
            }
            const bool closes = records.closes(link);
            made_.push_back({link.target, link.choice, closes});
            if (closes) return;
            record = link.target;
        }
    }

    void append(Cycles& cycles) {
        links_.clear();
        bool fits = true;
        for (const int edge : reader_.plan.pairs) {
            const auto [u, v] = diagram_.graph.edges[static_cast<std::size_t>(edge)];
            fits = links_.add(u, v, 0) && fits;
        }
        for (std::size_t s = 0; s < made_.size(); ++s) {
            const Variant& variant = reader_.choices[s].variants[made_[s].choice];
            const auto add = [&](int place, u8 parallel) {
                if (place < 0) return;
                const auto [u, v] = diagram_.graph.edges[static_cast<std::size_t>(
                    reader_.plan.steps[s].later[static_cast<std::size_t>(place)].edge)];
                fits = links_.add(u, v, parallel) && fits;
            };
            add(variant.choice.first, variant.first);
            add(variant.choice.second, variant.second);
        }
        if (!fits || !links_.append(cycles, !diagram_.parallel.empty())) throw DamagedBytes();
    }

  private:
    struct Made {
        u64 target;
        u32 choice;
        bool closes;
    };

    // The numbers of the cycles that make the first `choices` choices, from the first to before the end.
    u64* start(std::size_t choices) { return bounds_.data() + choices * 2 * limbs_; }
    u64* end(std::size_t choices) { return start(choices) + limbs_; }

    const FrontierDiagram& diagram_;
    Reader reader_;
    std::size_t limbs_;
    std::vector<Made> made_;
    std::vector<u64> bounds_;
    Links links_;
    std::vector<u64> rest_, before_;
};

class Ascent {
  public:
    explicit Ascent(const FrontierDiagram& diagram)
        : diagram_(diagram), reader_(diagram), limbs_(diagram.limbs()), links_(diagram.graph.vertices),
          before_(static_cast<std::size_t>(limbs_)) {}

    // Adds up the number of a cycle; false if the diagram does not have it.
    bool rank(const std::int32_t* vertices, const u8* parallel, u64* index) {
        const int n = diagram_.graph.vertices;
        links_.clear();
        for (int i = 0; i < n; ++i) {
            const int u = vertices[i], v = vertices[i + 1 < n ? i + 1 : 0];
            if (u < 0 || u >= n || v < 0 || v >= n || u == v) return false;
            if (!links_.add(u, v, parallel == nullptr ? u8{0} : parallel[i])) return false;
        }
        for (const int edge : reader_.plan.pairs) {
            const auto [u, v] = diagram_.graph.edges[static_cast<std::size_t>(edge)];
            if (!links_.remove(u, v)) return false;
        }
        u64 record = 0;
        for (int step = 0; step < n; ++step) {
            const auto s = static_cast<std::size_t>(step);
            const i64 wanted = choice_at(step);
            const Records& records = reader_.records[s];
            if (wanted < 0 || records.number() == 0) return false;
            Link link = records.link(record);
            while (link.choice != wanted) {
                if (link.last) return false;
                link = records.link(++record);
            }
            records.before(record, before_.data(), limbs_);
            add_limbs(index, before_.data(), limbs_);
            if (records.closes(link)) return true;
            record = link.target;
        }
        return false;
    }

  private:
    // The choice of a step, by number; -1 for edges that the graph has not.
    i64 choice_at(int step) const {
        const auto& ends = links_.at[static_cast<std::size_t>(step)];
        int place[2] = {-1, -1};
        u8 number[2] = {0, 0};
        for (int i = 0; i < 2; ++i) {
            const Links::Edge& edge = ends[static_cast<std::size_t>(i)];
            if (edge.to < step) continue; // to an earlier vertex, or the edge of a pair
            place[i] = place_of(step, edge.to);
            if (place[i] < 0) return -1;
            number[i] = edge.parallel;
        }
        if (place[0] < 0 || (place[1] >= 0 && place[1] < place[0])) {
            std::swap(place[0], place[1]);
            std::swap(number[0], number[1]);
        }
        const StepChoices& choices = reader_.choices[static_cast<std::size_t>(step)];
        const Choice choice{static_cast<std::int8_t>(place[0]), static_cast<std::int8_t>(place[1])};
        for (u32 v = choices.begin(choice); v < choices.end(choice); ++v)
            if (choices.variants[v].first == number[0] && choices.variants[v].second == number[1]) return v;
        return -1;
    }

    int place_of(int step, int to) const {
        const auto& later = reader_.plan.steps[static_cast<std::size_t>(step)].later;
        for (std::size_t i = 0; i < later.size(); ++i)
            if (diagram_.graph.edges[static_cast<std::size_t>(later[i].edge)] == std::pair{step, to})
                return static_cast<int>(i);
        return -1;
    }

    const FrontierDiagram& diagram_;
    Reader reader_;
    int limbs_;
    Links links_;
    std::vector<u64> before_;
};

} // namespace

Status unrank_cycles(const FrontierDiagram& diagram, const std::uint64_t* indices, std::size_t number,
                     Cycles& cycles, const Limits& limits, Monitor* monitor) {
    Watch watch(limits, monitor);
    return status_of([&] {
        if (number == 0) return;
        const std::size_t limbs = diagram.count.size(), vertices = diagram.layers.size();
        const u64 out = number * vertices * (sizeof(std::int32_t) + !diagram.parallel.empty());
        if (diagram.bytes() + Descent::bytes(diagram) + out > limits.bytes)
            throw Stopped{Status::out_of_memory};
        cycles.vertices.reserve(cycles.vertices.size() + number * vertices);
        Descent descent(diagram);
        for (std::size_t i = 0; i < number; ++i) {
            if (i % kPolled == 0) poll_or_throw(watch, {i, number, i});
            if (!less_limbs(indices + i * limbs, diagram.count.data(), static_cast<int>(limbs)) ||
                (i > 0 &&
                 less_limbs(indices + i * limbs, indices + (i - 1) * limbs, static_cast<int>(limbs))))
                throw std::invalid_argument("numbers of cycles ascend and are below the count");
            descent.go_to(indices + i * limbs);
            descent.append(cycles);
        }
    });
}

Status rank_cycles(const FrontierDiagram& diagram, const Cycles& cycles, std::vector<std::uint64_t>& indices,
                   const Limits& limits, Monitor* monitor) {
    const std::size_t vertices = diagram.layers.size(), limbs = diagram.count.size();
    const bool with_parallel = !diagram.parallel.empty();
    if (vertices == 0 || cycles.vertices.size() % vertices != 0 ||
        cycles.parallel.size() != (with_parallel ? cycles.vertices.size() : 0))
        throw std::invalid_argument("a cycle has all vertices, and a parallel edge for each");
    Watch watch(limits, monitor);
    return status_of([&] {
        const std::size_t number = cycles.vertices.size() / vertices;
        const u64 held = cycles.vertices.size() * sizeof(std::int32_t) + cycles.parallel.size();
        if (diagram.bytes() + held + number * limbs * sizeof(u64) > limits.bytes)
            throw Stopped{Status::out_of_memory};
        indices.assign(number * limbs, 0);
        Ascent ascent(diagram);
        for (std::size_t i = 0; i < number; ++i) {
            if (i % kPolled == 0) poll_or_throw(watch, {i, number, i});
            u64* index = indices.data() + i * limbs;
            if (!ascent.rank(cycles.vertices.data() + i * vertices,
                             with_parallel ? cycles.parallel.data() + i * vertices : nullptr, index))
                std::fill(index, index + limbs, ~u64{0});
        }
    });
}

} // namespace ktsolve
