// Lists Hamiltonian cycles depth first through the states of the sweep; dead states are entered once.
#include "ktsolve/frontier/list.hpp"

#include <algorithm>

#include "common/integers.hpp"
#include "common/stopped.hpp"
#include "frontier/cycle.hpp"
#include "frontier/states.hpp"

namespace ktsolve {

using namespace frontier;

class FrontierList::Search {
  public:
    virtual ~Search() = default;
    virtual void run(u64 most, std::vector<std::int32_t>& cycles, u64 bytes, Watch& watch) = 0;

    bool exhausted = false;
    u64 found = 0, states = 0, dead = 0, bytes = 0;
};

namespace {

struct Nothing {};

template <class KeyT> class DepthFirst final : public FrontierList::Search {
  public:
    DepthFirst(const Graph& graph, Plan plan, u64 seed) : graph_(graph), plan_(std::move(plan)), seed_(seed) {
        steps_.reserve(plan_.steps.size());
        dead_.reserve(plan_.steps.size());
        for (const Step& step : plan_.steps) {
            steps_.emplace_back(step);
            dead_.emplace_back(1);
        }
        if (plan_.steps.empty())
            exhausted = true; // a graph without vertices
        else
            enter(KeyT{});
    }

    void run(u64 most, std::vector<std::int32_t>& cycles, u64 limit, Watch& watch) override {
        const u64 before = found;
        while (!open_.empty() && found - before < most) {
            if ((++polled_ & 0x3FF) == 0)
                poll_or_throw(watch, {static_cast<u64>(open_.size()), plan_.steps.size(), found});
            Open& top = open_.back();
            if (top.next == next_.size()) {
                leave(limit);
                continue;
            }
            const Next each = next_.back();
            next_.pop_back();
            choices_[open_.size() - 1] = each.choice;
            if (each.closes) {
                choices_.resize(open_.size());
                append_cycle(graph_, plan_, choices_, cycles);
                choices_.resize(plan_.steps.size());
                ++found;
                top.live = true;
            } else if (open_.size() < plan_.steps.size() && !is_dead(open_.size(), each.key)) {
                enter(each.key);
            }
        }
        exhausted = open_.empty();
    }

  private:
    struct Open {
        KeyT key;
        std::size_t next;  // where its successors begin; those that are left lie on top of `next_`
        bool live = false; // a cycle was found through it
    };
    struct Next {
        KeyT key;
        Choice choice;
        bool closes;
    };
    using Set = Table<KeyT, Nothing>;

    bool is_dead(std::size_t layer, const KeyT& key) const {
        return dead_[layer].places() > 1 && dead_[layer].contains(key, key.hash());
    }

    void enter(const KeyT& key) {
        const std::size_t begin = next_.size();
        steps_[open_.size()].of(
            key, [&](const KeyT& to, Choice choice) { next_.push_back({to, choice, false}); },
            [&](Choice choice) { next_.push_back({KeyT{}, choice, true}); });
        // The last is visited first.
        std::reverse(next_.begin() + static_cast<std::ptrdiff_t>(begin), next_.end());
        if (seed_ != 0)
            std::sort(next_.begin() + static_cast<std::ptrdiff_t>(begin), next_.end(),
                      [&](const Next& a, const Next& b) { return place(a) < place(b); });
        open_.push_back({key, begin});
        ++states;
    }

    // Pseudo-random, and the same for equal seeds.
    u64 place(const Next& next) const {
        u64 x = (next.key.hash() ^ seed_) + static_cast<u64>(next.choice.first * 64 + next.choice.second);
        x = (x ^ (x >> 30)) * 0xBF58476D1CE4E5B9ull;
        return x ^ (x >> 31);
    }

    void leave(u64 limit) {
        const Open closed = open_.back();
        if (!closed.live && open_.size() > 1) {
            Set& set = dead_[open_.size() - 1];
            if (set.places() == 1 || set.crowded()) {
                const u64 more = set.places() == 1 ? 16 * sizeof(*set.begin()) : set.bytes_to_grow();
                if (bytes + more > limit) throw Stopped{Status::out_of_memory};
                bytes -= set.bytes();
                if (set.places() == 1)
                    set = Set(16);
                else
                    set.grow();
                bytes += set.bytes();
            }
            set.find_or_add(closed.key, closed.key.hash());
            ++dead;
        }
        open_.pop_back();
        if (closed.live && !open_.empty()) open_.back().live = true;
    }

    Graph graph_;
    Plan plan_;
    u64 seed_;
    std::vector<Successors<KeyT>> steps_;
    std::vector<Set> dead_;
    std::vector<Open> open_;
    std::vector<Next> next_;
    std::vector<Choice> choices_ = std::vector<Choice>(plan_.steps.size());
    u64 polled_ = 0;
};

} // namespace

FrontierList::FrontierList(const Graph& graph, std::uint64_t seed) {
    Plan plan = make_plan(graph);
    with_key(plan, [&](auto key) {
        search_ = std::make_unique<DepthFirst<decltype(key)>>(graph, std::move(plan), seed);
    });
}
FrontierList::~FrontierList() = default;
FrontierList::FrontierList(FrontierList&&) noexcept = default;

Status FrontierList::run(std::uint64_t most, std::vector<std::int32_t>& cycles, const Limits& limits,
                         Monitor* monitor) {
    Watch watch(limits, monitor);
    return status_of([&] { search_->run(most, cycles, limits.bytes, watch); });
}

bool FrontierList::exhausted() const {
    return search_->exhausted;
}
std::uint64_t FrontierList::found() const {
    return search_->found;
}
std::uint64_t FrontierList::states() const {
    return search_->states;
}
std::uint64_t FrontierList::dead() const {
    return search_->dead;
}
std::uint64_t FrontierList::bytes() const {
    return search_->bytes;
}

} // namespace ktsolve
