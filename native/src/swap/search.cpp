// Searches positions breadth first for the shortest solutions of a swap puzzle, and counts them.
#include "ktsolve/swap/swap.hpp"

#include <algorithm>
#include <cstdlib>
#include <memory>
#include <new>
#include <stdexcept>
#include <string>

#include "ktsolve/common/wide.hpp"
#include "swap/positions.hpp"
#include "swap/steps.hpp"

namespace ktsolve {
namespace swap {
namespace {

constexpr int kMostLayers = 0xFFFD;
constexpr int kUnseen = -1;

// The distance of each state from the start. `calloc` maps zero pages, so that those of states that are
// never reached take neither time nor memory.
class Distances {
  public:
    void make(std::uint64_t states) {
        later_.reset(static_cast<std::uint16_t*>(std::calloc(states, sizeof(std::uint16_t))));
        if (!later_) throw std::bad_alloc();
    }
    int operator[](std::uint64_t state) const { return later_[state] - 1; }
    void set(std::uint64_t state, int distance) { later_[state] = static_cast<std::uint16_t>(distance + 1); }

  private:
    struct Free {
        void operator()(std::uint16_t* numbers) const { std::free(numbers); }
    };
    std::unique_ptr<std::uint16_t[], Free> later_; // by one, so that 0 is kUnseen
};

// Which colour moved last is part of the state where colours alternate: state = position * 2 + colour.
class Search {
  public:
    Search(const SwapProblem& problem, const SwapSettings& settings, const Limits& limits, Monitor* monitor)
        : problem_(problem), settings_(settings), limits_(limits), watch_(limits, monitor),
          positions_(problem.start), steps_(problem) {}

    SwapReport run() {
        report_.states = positions_.size() * turns();
        if (report_.states * sizeof(std::uint16_t) > limits_.bytes) {
            report_.status = Status::out_of_memory;
            return std::move(report_);
        }
        distance_.make(report_.states);
        note_bytes(0);
        if (!forward() || report_.length < 0) return std::move(report_);
        draw_line();
        if (settings_.count || settings_.keep) {
            if (const Counting done = backward<Wide<2>>(); done == Counting::overflow) {
                report_.kept.clear();
                report_.kept_layers.clear();
                if (backward<Wide<16>>() == Counting::overflow)
                    throw std::length_error("there are more than 2^1024 shortest solutions");
            }
        }
        return std::move(report_);
    }

  private:
    enum class Counting { done, overflow, stopped };

    std::uint64_t turns() const { return problem_.alternate ? 2 : 1; }
    std::uint64_t state_of(const Cells& position, int last) const {
        return positions_.rank(position) * turns() + (problem_.alternate ? last : 0);
    }
    int place(std::uint64_t state, Cells& position) const {
        positions_.unrank(state / turns(), position);
        return static_cast<int>(state % turns());
    }
    // Colour that may move after `last`, or before it; -1 for any.
    int other(int last) const { return problem_.alternate ? 1 - last : -1; }

    bool note_bytes(std::uint64_t lists) {
        const std::uint64_t bytes = report_.states * sizeof(std::uint16_t) + lists;
        report_.peak_bytes = std::max(report_.peak_bytes, bytes);
        if (bytes > limits_.bytes) report_.status = Status::out_of_memory;
        return bytes <= limits_.bytes;
    }

    bool poll(std::uint64_t layer) {
        if ((polled_++ & 0xFF) == 0) report_.status = watch_.poll({layer, 0, report_.reached});
        return report_.status == Status::done;
    }

    // Layer by layer until the goal is in one, or nothing new is. Returns whether it was not stopped.
    bool forward() {
        std::vector<std::uint64_t> layer, next;
        for (std::uint64_t last = 0; last < turns(); ++last) {
            layer.push_back(state_of(problem_.start, static_cast<int>(last)));
            distance_.set(layer.back(), 0);
            goals_.push_back(state_of(problem_.goal, static_cast<int>(last)));
        }
        Cells position;
        for (std::uint64_t depth = 0;; ++depth) {
            report_.layers.push_back(layer.size());
            report_.reached += layer.size();
            if (report_.length < 0)
                for (const std::uint64_t goal : goals_)
                    if (distance_[goal] == static_cast<int>(depth)) report_.length = static_cast<int>(depth);
            if ((report_.length >= 0 && !settings_.whole) || depth == problem_.most) return true;
            if (depth == kMostLayers) throw std::length_error("a solution has more than 65533 steps");
            next.clear();
            for (const std::uint64_t state : layer) {
                if (!poll(depth)) return false;
                const int last = place(state, position);
                steps_.each_end(position, other(last), [&](int kind, int, int) {
                    const std::uint64_t reached = state_of(position, problem_.colours[kind - 1]);
                    if (distance_[reached] != kUnseen) return;
                    distance_.set(reached, static_cast<int>(depth) + 1);
                    next.push_back(reached);
                });
                if (!note_bytes((layer.capacity() + next.capacity()) * sizeof(std::uint64_t))) return false;
            }
            std::swap(layer, next);
            if (layer.empty()) {
                report_.exhausted = true;
                return true;
            }
        }
    }

    // Calls visit(from, to, state) for the steps that lead to `position`, undone: a piece goes back from
    // `from` to `to`, and then the state is one step nearer to the start.
    template <class Visit> void each_before(Cells& position, int last, int depth, Visit&& visit) {
        steps_.each_end(position, problem_.alternate ? last : -1, [&](int, int from, int to) {
            const std::uint64_t before = state_of(position, 1 - last);
            if (distance_[before] == depth - 1) visit(from, to, before);
        });
    }

    // One solution, from its end.
    void draw_line() {
        const std::size_t cells = problem_.start.size();
        report_.line.resize(cells * (report_.length + 1));
        std::uint64_t state = *std::find_if(goals_.begin(), goals_.end(), [&](std::uint64_t goal) {
            return distance_[goal] == report_.length;
        });
        Cells position;
        for (int depth = report_.length; depth >= 0; --depth) {
            const int last = place(state, position);
            std::copy(position.begin(), position.end(), report_.line.begin() + cells * depth);
            // Smallest number first, so that the line does not depend on the order of the steps.
            std::uint64_t before = ~std::uint64_t{0};
            if (depth > 0)
                each_before(position, last, depth,
                            [&](int, int, std::uint64_t nearer) { before = std::min(before, nearer); });
            state = before;
        }
    }

    template <class CountT> struct Entry {
        std::uint64_t state;
        CountT ways; // to the goal
    };

    // From the goal to the start, only through states that are one step nearer.
    template <class CountT> Counting backward() {
        using EntryT = Entry<CountT>;
        std::vector<EntryT> layer, nearer;
        for (const std::uint64_t goal : goals_)
            if (distance_[goal] == report_.length) layer.push_back({goal, CountT::one()});
        report_.on_shortest = 0;
        Cells position;
        for (int depth = report_.length;; --depth) {
            report_.on_shortest += layer.size();
            if (settings_.keep) keep(layer);
            if (depth == 0) break;
            nearer.clear();
            std::size_t compact = 1 << 16;
            for (const EntryT& entry : layer) {
                if (!poll(static_cast<std::uint64_t>(report_.length))) return Counting::stopped;
                const int last = place(entry.state, position);
                const Counting done = step_back(entry, position, last, depth, nearer);
                if (done != Counting::done) return done;
                if (nearer.size() > compact) {
                    if (!merge(nearer)) return Counting::overflow;
                    compact = std::max(compact, 2 * nearer.size());
                }
                const std::uint64_t lists = (layer.capacity() + nearer.capacity()) * sizeof(EntryT);
                if (!note_bytes(lists + report_.kept.capacity())) return Counting::stopped;
            }
            if (!merge(nearer)) return Counting::overflow;
            std::swap(layer, nearer);
        }
        CountT total{};
        for (const EntryT& entry : layer)
            // A solution without steps is one solution, for either last colour.
            if (!(report_.length == 0 && &entry != &layer.front()) && !total.add(entry.ways))
                return Counting::overflow;
        report_.count.assign(total.limb.begin(), total.limb.end());
        if (settings_.keep) turn_round();
        return Counting::done;
    }

    template <class EntryT>
    Counting step_back(const EntryT& entry, Cells& position, int last, int depth,
                       std::vector<EntryT>& nearer) {
        Counting result = Counting::done;
        for (int from = 0; from < problem_.cells && result == Counting::done; ++from) {
            const int kind = position[from];
            if (kind == 0 || (problem_.alternate && problem_.colours[kind - 1] != last)) continue;
            steps_.each_walk(position, from, [&](int to) {
                position[to] = static_cast<std::uint8_t>(kind);
                const std::uint64_t before = state_of(position, 1 - last);
                position[to] = 0;
                if (distance_[before] == depth - 1) nearer.push_back({before, entry.ways});
                if (!poll(static_cast<std::uint64_t>(report_.length))) result = Counting::stopped;
                return result == Counting::done;
            });
        }
        return result;
    }

    // Sorts, and adds up the ways of equal states; false at an overflow.
    template <class EntryT> static bool merge(std::vector<EntryT>& entries) {
        std::sort(entries.begin(), entries.end(),
                  [](const EntryT& a, const EntryT& b) { return a.state < b.state; });
        std::size_t kept = 0;
        for (std::size_t i = 0; i < entries.size(); ++i) {
            if (kept > 0 && entries[kept - 1].state == entries[i].state) {
                if (!entries[kept - 1].ways.add(entries[i].ways)) return false;
            } else {
                entries[kept++] = entries[i];
            }
        }
        entries.resize(kept);
        return true;
    }

    template <class EntryT> void keep(const std::vector<EntryT>& layer) {
        Cells position;
        report_.kept_layers.push_back(layer.size());
        for (const EntryT& entry : layer) {
            place(entry.state, position);
            report_.kept.insert(report_.kept.end(), position.begin(), position.end());
        }
    }

    // Reverses the order of the layers that were kept: from the start.
    void turn_round() {
        const std::size_t cells = problem_.start.size();
        std::vector<std::uint8_t> turned;
        turned.reserve(report_.kept.size());
        std::size_t end = report_.kept.size();
        for (auto size = report_.kept_layers.rbegin(); size != report_.kept_layers.rend(); ++size) {
            const std::size_t begin = end - *size * cells;
            turned.insert(turned.end(), report_.kept.begin() + begin, report_.kept.begin() + end);
            end = begin;
        }
        report_.kept = std::move(turned);
        std::reverse(report_.kept_layers.begin(), report_.kept_layers.end());
    }

    const SwapProblem& problem_;
    SwapSettings settings_;
    Limits limits_;
    Watch watch_;
    Positions positions_;
    Steps steps_;
    SwapReport report_;
    Distances distance_;
    std::vector<std::uint64_t> goals_;
    std::uint64_t polled_ = 0;
};

} // namespace
} // namespace swap

void SwapProblem::validate() const {
    const auto require = [](bool good, const char* what) {
        if (!good) throw std::invalid_argument(what);
    };
    require(cells > 0 && cells < 256, "a board has 1 to 255 cells");
    require(jumps.size() < 256 && colours.size() == jumps.size(), "every kind of piece has a colour");
    require(longest > 0, "a step has at least one jump");
    for (const auto& of_kind : jumps) {
        require(static_cast<int>(of_kind.size()) == cells, "every kind jumps from every cell");
        for (int u = 0; u < cells; ++u)
            for (const int v : of_kind[u]) {
                require(v >= 0 && v < cells && v != u, "a jump leads to another cell");
                require(std::find(of_kind[v].begin(), of_kind[v].end(), u) != of_kind[v].end(),
                        "jumps lead back as well");
            }
    }
    for (const int colour : colours)
        require(colour >= 0 && (!alternate || colour < 2), "two colours move by turns");
    std::vector<int> pieces(jumps.size() + 1, 0);
    require(static_cast<int>(start.size()) == cells && static_cast<int>(goal.size()) == cells,
            "something or nothing stands on every cell");
    for (int cell = 0; cell < cells; ++cell) {
        require(start[cell] <= jumps.size() && goal[cell] <= jumps.size(), "a piece is of a known kind");
        ++pieces[start[cell]];
        --pieces[goal[cell]];
    }
    require(std::all_of(pieces.begin(), pieces.end(), [](int n) { return n == 0; }),
            "the same pieces stand at the start and at the goal");
}

std::uint64_t count_positions(const std::vector<std::uint8_t>& position) {
    return swap::Positions(position).size();
}

SwapReport search_swap(const SwapProblem& problem, const SwapSettings& settings, const Limits& limits,
                       Monitor* monitor) {
    problem.validate();
    if (count_positions(problem.start) == 0) throw std::length_error("there are more than 2^62 positions");
    return swap::Search(problem, settings, limits, monitor).run();
}

} // namespace ktsolve
