// Warnsdorff's rule without backtracking: walks also cover the cells that the first walk leaves, and the
// walks are joined by exchanges at their ends (Euler 1759; Posa 1976).
//
// An end is moved towards the nearest end of another walk. A breadth-first search from that end gives the
// distance of each cell, and the exchange that brings the end nearest is made, with some chance so that it
// does not cycle. A closed tour is one walk whose ends are brought together in the same manner.
//
// An exchange may also split a cycle off a walk. This is done where no other exchange is possible, and by
// chance in rounds that follow several without progress. An exchange over a cell of a cycle inserts the cycle
// into the walk of the end; cycles that are left after a round are opened. Where no exchange at all is
// possible, a walk is cut in two. Measured: without splits the generalized Petersen graphs GP(1001,3) and
// GP(1001,5) fail; with one in twenty exchanges they take 0.2 s; with one in two they fail again. Rejected: a
// search for the nearest cell on a cycle instead of opening (GP(1006,2) fails, a graph of a million edges
// takes ten times as long).
//
// For an open tour with a given start there is one more cell, linked to the start only, so that the start is
// not an end.
#include <algorithm>
#include <limits>
#include <random>
#include <stdexcept>

#include "walk/distance.hpp"
#include "walk/links.hpp"
#include "walk/rule.hpp"

namespace ktsolve {

class Repair {
  public:
    Repair(const Walker& walker, const RepairTask& task, const Limits& limits, Monitor* monitor)
        : walker_(walker), task_(task), cells_(walker.cells_), rule_(walker, task.seed),
          links_(walker.cells_ + (task.fixed ? 1 : 0)), distances_(rule_, walker.cells_), random_(task.seed),
          watch_(limits, monitor) {}

    RepairReport run() {
        if (refuted()) {
            report_.refuted = true;
            return std::move(report_);
        }
        walk_everything();
        report_.walks = links_.walks();
        std::uint64_t since = 0; // exchanges before the last progress
        while (poll() && !report_.found && report_.reversals - since < task_.patience) {
            const std::uint64_t before = report_.reversals;
            if (join_everything()) {
                fruitless_ = 0;
                since = report_.reversals;
            }
            report_.found = components() == 1 && (!task_.closed || close());
            if (!report_.found && report_.reversals == before && !cut_somewhere()) break;
            ++fruitless_;
        }
        if (report_.status != Status::done) report_.found = false;
        report_.left = components() - 1;
        if (report_.found) write_path();
        return std::move(report_);
    }

  private:
    bool refuted() const {
        if (walker_.contradictory_ || (!task_.closed && walker_.required_cycle_)) return true;
        if (task_.fixed && rule_.required_moves(task_.start) > 1) return true;
        if (!task_.closed) return false;
        for (int v = 0; v < cells_; ++v)
            if (rule_.around(v).size() + rule_.required_moves(v) < 2) return true;
        return cells_ < 3;
    }

    int components() const { return links_.walks() + links_.cycles(); }

    // -- walks ------------------------------------------------------------------------------------------

    void walk_everything() {
        std::vector<std::int32_t> walk;
        if (task_.fixed) walk.push_back(phantom());
        go_on(task_.fixed ? task_.start : chain_end(task_.start), walk);
        report_.first_stuck = static_cast<int>(walk.size()) - (task_.fixed ? 1 : 0);
        add(walk);
        for (int v = 0; v < cells_; ++v) {
            if (rule_.visited(v)) continue;
            walk.clear();
            go_on(chain_end(v), walk);
            std::reverse(walk.begin(), walk.end());
            go_on_from(walk.back(), walk);
            add(walk);
        }
    }

    // An end of the chain of required moves through a cell; a walk that began inside would close the chain.
    int chain_end(int v) const {
        for (int here = v, before = Links::kNone;;) {
            const int next = rule_.required_after(here, before);
            if (next == Links::kNone || next == v) return here;
            before = here;
            here = next;
        }
    }

    void go_on(int v, std::vector<std::int32_t>& walk) {
        rule_.visit(v);
        walk.push_back(v);
        go_on_from(v, walk);
    }

    void go_on_from(int v, std::vector<std::int32_t>& walk) {
        for (int stage = rule_.stage_on(v, 0); poll(); stage = rule_.stage_on(v, stage)) {
            const int required = rule_.required_next(v);
            choices_.clear();
            if (required < 0) rule_.choices(v, stage, choices_);
            if (required < 0 && choices_.empty()) return;
            v = required < 0 ? choices_.front().cell : required;
            rule_.visit(v);
            walk.push_back(v);
        }
    }

    void add(const std::vector<std::int32_t>& walk) {
        links_.add_walk(walk);
        for (const int end : {walk.front(), walk.back()})
            if (end != phantom()) ends_.push_back(end);
    }

    // -- joining ----------------------------------------------------------------------------------------

    // Moves every end once towards another walk. True if walks and cycles are fewer than ever before.
    bool join_everything() {
        if (components() == 1) return false;
        open_cycles();
        // In random order: most ends are near others.
        collect_ends();
        for (const int end : ends_) {
            if (components() == 1 || !poll()) break;
            if (links_.is_end(end)) lead_to_another(end);
        }
        const bool progress = components() < least_;
        least_ = std::min(least_, components());
        return progress;
    }

    // Cuts a walk at a random link. False if none is found.
    bool cut_somewhere() {
        ++report_.reversals;
        for (int tries = 0; tries < cells_; ++tries) {
            const int v = static_cast<int>(random_() % static_cast<std::uint64_t>(cells_));
            const int w = links_.next(v)[random_() % 2];
            if (w == Links::kNone || w == phantom() || rule_.required(v, w) || links_.on_cycle(v)) continue;
            links_.cut(v, w);
            return true;
        }
        return false;
    }

    void open_cycles() {
        for (const int v : split_)
            if (links_.on_cycle(v)) {
                const auto& links = links_.next(v);
                const std::size_t side = random_() % 2;
                links_.open(v, links[rule_.required(v, links[side]) ? 1 - side : side]);
            }
        split_.clear();
    }

    void collect_ends() {
        ends_.clear();
        for (int v = 0; v < cells_; ++v)
            if (links_.is_end(v)) ends_.push_back(v);
        std::shuffle(ends_.begin(), ends_.end(), random_);
    }

    void lead_to_another(int end) {
        const int target = distances_.search(end, [&](int v, int parity, int) {
            return parity == 1 && v != end && links_.is_end(v) && links_.mate(end) != v;
        });
        if (target >= 0) lead(end, target);
    }

    bool close() {
        collect_ends();
        if (ends_.size() != 2) return false;
        return rule_.required(ends_[0], ends_[1]) || lead(ends_[0], ends_[1]);
    }

    // Moves an end towards another one or a cell of a cycle, and joins the two if they are of different
    // walks. True on success.
    bool lead(int end, int target) {
        std::int32_t enough = Distances::kFar;
        std::int64_t seen = 0, most_seen = std::numeric_limits<std::int64_t>::max();
        distances_.search(target, [&](int v, int parity, int distance) {
            ++seen;
            if (v == end && parity == 1 && enough == Distances::kFar) {
                enough = distance + kMargin;
                most_seen = 1000 + 2 * seen;
            }
            return distance >= enough || seen > most_seen;
        });
        if (enough == Distances::kFar) return false;
        const std::int64_t budget = kExchangesPerMove * (4 + enough);
        const int before = components();
        int came_by = -1;
        for (std::int64_t step = 0; step < budget && poll(); ++step) {
            if (join_here(end)) return true;
            if (components() == 1 && links_.mate(end) == target && distances_.odd(end) == 1) return true;
            if (!exchange(end, target, came_by)) return false;
            if (components() < before) return true;
        }
        return false;
    }

    // Joins the end with any adjacent end of another walk.
    bool join_here(int end) {
        for (const int v : rule_.around(end))
            if (links_.is_end(v) && links_.mate(end) != v) {
                links_.join(end, v);
                return true;
            }
        return false;
    }

    struct Exchange {
        int over, to;
        std::int64_t cost;
    };

    // One exchange at an end, the one that brings it nearest to the target.
    bool exchange(int& end, int target, int& came_by) {
        exchanges_.clear();
        for (const int v : rule_.around(end)) {
            if (v == came_by || links_.linked(end, v)) continue;
            for (const int w : links_.next(v))
                if (w != Links::kNone && w != phantom() && !rule_.required(v, w))
                    exchanges_.push_back(
                        {v, w, std::min<std::int64_t>(distances_.odd(w), kFurthest) * 4 + chance()});
        }
        std::sort(exchanges_.begin(), exchanges_.end(),
                  [](const Exchange& a, const Exchange& b) { return a.cost < b.cost; });
        const int apart = links_.mate(end) == target ? Links::kNone : target, cycles = links_.cycles();
        const bool early = fruitless_ / kRounds % 2 == 1 && random_() % kSplitOneIn == 0;
        for (const bool split : {early, true})
            for (const Exchange& one : exchanges_)
                if (links_.exchange(end, one.over, one.to, apart, split)) {
                    ++report_.reversals;
                    if (links_.cycles() > cycles) split_.push_back(one.over);
                    came_by = one.over;
                    end = one.to;
                    return true;
                }
        return false;
    }

    std::int64_t chance() { return static_cast<std::int64_t>(random_() % 10); }

    // -- the rest ---------------------------------------------------------------------------------------

    int phantom() const { return task_.fixed ? cells_ : Links::kNone; }

    bool poll() {
        if (report_.status != Status::done || report_.reversals >= task_.most_reversals) return false;
        if (++polls_ % 256 == 0)
            report_.status = watch_.poll({report_.reversals, 0, static_cast<std::uint64_t>(links_.walks())});
        return report_.status == Status::done;
    }

    void write_path() {
        int before = Links::kNone, here = task_.start;
        if (task_.fixed)
            before = phantom();
        else if (!task_.closed)
            for (here = 0; !links_.is_end(here);) ++here;
        else if (links_.is_end(here))
            before = links_.mate(here); // the closing move is not a link
        // A closed tour begins at the start, wherever its walk begins.
        while (report_.path.size() < static_cast<std::size_t>(cells_)) {
            report_.path.push_back(here);
            const auto& links = links_.next(here);
            int next = links[0] == before || links[0] == Links::kNone ? links[1] : links[0];
            if (next == Links::kNone || next == before) next = links_.mate(here);
            before = here;
            here = next;
        }
    }

    static constexpr int kMargin = 6;            // moves beyond the end that distances are known
    static constexpr int kExchangesPerMove = 20; // for each move of the distance
    static constexpr int kSplitOneIn = 20;
    static constexpr int kRounds = 8; // without progress, before rounds with and without splits alternate
    static constexpr std::int64_t kFurthest = 1 << 20;

    const Walker& walker_;
    RepairTask task_;
    int cells_;
    Rule rule_;
    Links links_;
    Distances distances_;
    std::mt19937_64 random_;
    Watch watch_;
    std::vector<std::int32_t> ends_;
    std::vector<std::int32_t> split_; // a cell of each cycle, with a link that is not required
    std::vector<Choice> choices_;
    std::vector<Exchange> exchanges_;
    int fruitless_ = 0;                           // rounds without progress
    int least_ = std::numeric_limits<int>::max(); // components after a round
    std::uint64_t polls_ = 0;
    RepairReport report_;
};

RepairReport Walker::repair(const RepairTask& task, const Limits& limits, Monitor* monitor) const {
    if (task.start < 0 || task.start >= cells_) throw std::invalid_argument("a walk starts at a cell");
    return Repair(*this, task, limits, monitor).run();
}

} // namespace ktsolve
