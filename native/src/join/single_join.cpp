// Averages over the elements that keep a pattern, contracted one mate of the first end after the other.
#include "join/single_join.hpp"

#include <algorithm>
#include <deque>
#include <numeric>
#include <stdexcept>

namespace ktsolve::join {

namespace {

using Ends = std::array<u8, kMostEnds>;

// A pattern and its complement.
struct Single {
    GroupRef top, bottom;
    Ends to{}; // the top's ends of the bottom's
    int pairs = 0;
    std::vector<Ends> images;                 // where the ends go by each element that keeps the pattern
    u64 weight = 0;                           // the size of the orbit
    std::vector<std::pair<u64, u64>> entries; // of the top, moved: rank and count, in order
};

// Moves the top's entries to images with the least mate of the first end.
void move_entries(Single& single, u64 modulus, Workers& workers) {
    const int pairs = single.pairs;
    const std::size_t ends = static_cast<std::size_t>(2 * pairs);
    std::vector<Ends> before = single.images;
    for (std::size_t h = 0; h < before.size(); ++h)
        for (std::size_t e = 0; e < ends; ++e) before[h][single.images[h][e]] = static_cast<u8>(e);
    u64 n = 0;
    for_each_entry(single.top.entries, single.top.count, single.top.width, pairs, [&](u64 rank, u64 count) {
        if (++n % 4096 == 0) workers.poll();
        const Mates mates = mates_of_rank(pairs, rank);
        std::size_t best = 0;
        u8 least = 255;
        for (std::size_t h = 0; h < before.size(); ++h)
            if (const u8 mate = single.images[h][mates[before[h][0]]]; mate < least) {
                least = mate;
                best = h;
            }
        Mates now{};
        for (std::size_t e = 0; e < ends; ++e) now[single.images[best][e]] = single.images[best][mates[e]];
        single.entries.emplace_back(rank_of_mates(pairs, now), count);
    });
    std::sort(single.entries.begin(), single.entries.end());
    std::size_t kept = 0;
    for (const auto& [rank, count] : single.entries) {
        if (kept > 0 && single.entries[kept - 1].first == rank)
            single.entries[kept - 1].second += count; // a sum of the group's counts, which is bounded
        else
            single.entries[kept++] = {rank, count};
    }
    single.entries.resize(kept);
    if (modulus != 0)
        for (auto& entry : single.entries) entry.second %= modulus;
}

// The work of one thread.
class SingleWorkspace {
  public:
    SingleWorkspace(Context& context, const ContractionLists& lists)
        : context_(context), lists_(lists), reserved_(context.pool) {
        space_.pause = [this] { context_.workers.tick(worker_); };
    }

    u64 extended = 0;
    bool overflow = false;

    // The products of the entries in which the first end has the mate x with what they close.
    u128 take(int worker, const Single& single, int x) {
        worker_ = worker;
        const u64 block = kMatchings[static_cast<std::size_t>(single.pairs - 1)];
        const u64 first = static_cast<u64>(x - 1) * block;
        auto entry = std::lower_bound(single.entries.begin(), single.entries.end(), std::pair(first, u64{0}));
        if (entry == single.entries.end() || entry->first >= first + block) return 0;
        if (values_.size() < block) {
            reserved_.add(2 * 8 * (block - values_.size()));
            values_.resize(block);
            closed_.resize(block);
        }
        contract(single, x);
        if (single.pairs == 2)
            closed_[0] = values_[0]; // one pair, whose ends are joined
        else
            close_cycles(single.pairs - 1, values_.data(), closed_.data(), lists_, space_);
        u128 sum = 0;
        const u64 modulus = context_.modulus;
        for (; entry != single.entries.end() && entry->first < first + block; ++entry) {
            const u64 closed = closed_[entry->first - first];
            const u128 product = static_cast<u128>(modulus == 0 ? closed : closed % modulus) * entry->second;
            overflow = add_overflows(sum, product, &sum) || overflow;
        }
        return modulus == 0 ? sum : sum % modulus;
    }

  private:
    // All images of the bottom's entries, contracted by the first end and x.
    void contract(const Single& single, int x) {
        const int pairs = single.pairs;
        const auto ends = static_cast<std::size_t>(2 * pairs);
        struct Image {
            u8 i, j;   // the ends that become the first and x
            Ends then; // the places of the others without the two; of these, beyond all
        };
        std::vector<Image> images;
        for (const Ends& element : single.images) {
            Image image{};
            for (std::size_t e = 0; e < ends; ++e) {
                const int end = element[e];
                if (end == 0) image.i = static_cast<u8>(e);
                if (end == x) image.j = static_cast<u8>(e);
                image.then[e] = static_cast<u8>(end == 0   ? ends - 2
                                                : end == x ? ends - 1
                                                           : static_cast<std::size_t>(end - 1 - (end > x)));
            }
            images.push_back(image);
        }
        std::fill_n(values_.begin(), kMatchings[static_cast<std::size_t>(pairs - 1)], u64{0});
        u64 n = 0;
        u128 sum = 0;
        for_each_entry(single.bottom.entries, single.bottom.count, single.bottom.width, pairs,
                       [&](u64 rank, u64 count) {
                           if (++n % 1024 == 0) context_.workers.tick(worker_);
                           sum += count;
                           const Mates below = mates_of_rank(pairs, rank);
                           Mates mates{}, now{};
                           for (std::size_t e = 0; e < ends; ++e) mates[single.to[e]] = single.to[below[e]];
                           for (const Image& image : images) {
                               if (mates[image.i] == image.j) continue; // closes a cycle too early
                               for (std::size_t e = 0; e < ends; ++e)
                                   now[image.then[e]] = image.then[mates[e]];
                               const u8 a = image.then[mates[image.i]], b = image.then[mates[image.j]];
                               now[a] = b;
                               now[b] = a;
                               values_[rank_of_mates(pairs - 1, now)] += count;
                           }
                       });
        extended += single.bottom.count * images.size();
        // No number that is formed is greater than the sum of all.
        overflow = overflow || (sum * images.size()) >> 63 != 0;
    }

    Context& context_;
    const ContractionLists& lists_;
    Reservation reserved_;
    int worker_ = 0;
    ContractionSpace space_;
    PagedVector<u64> values_, closed_; // by matchings of a pair less
};

// The inverse of a number modulo another, by Euclid's algorithm.
u64 inverse_modulo(u64 number, u64 modulus) {
    i64 inverse = 0, next = 1;
    u64 rest = modulus;
    number %= modulus;
    while (number != 0) {
        const auto quotient = static_cast<i64>(rest / number);
        inverse = std::exchange(next, inverse - quotient * next);
        rest = std::exchange(number, rest % number);
    }
    if (rest != 1) throw std::invalid_argument("the modulus has a divisor in common with the plan's group");
    return static_cast<u64>(inverse < 0 ? inverse + static_cast<i64>(modulus) : inverse);
}

} // namespace

JoinResult run_single_join(const OrbitJoin& step) {
    Context& context = step.context;
    Workers& workers = context.workers;
    const std::vector<GroupOfOrbit> tops = groups_of(step.top, workers);
    const std::vector<GroupOfOrbit> bottoms = groups_of(step.bottom, workers);
    std::vector<Single> singles;
    Reservation reserved(context.pool);
    int most = 0;
    for (const GroupOfOrbit& top : tops) {
        if (top.pattern * 0x9E3779B97F4A7C15ull % step.parts != step.part) continue;
        const Opposite opposite = opposite_of(step, bottoms, top.pattern);
        if (opposite.found == nullptr) continue;
        const u64 ends = context.ends(top.pattern);
        Single single;
        single.top = top.group;
        single.bottom = opposite.found->group;
        single.to = opposite.to;
        single.pairs = pairs_of(ends);
        most = std::max(most, single.pairs);
        if (single.pairs < 2) throw std::invalid_argument("a single pattern has two pairs of ends or more");
        for (const auto& element : step.top_group.keepers(top.pattern)) {
            Ends to{};
            std::size_t i = 0;
            for (u64 rest = ends; rest != 0; rest &= rest - 1)
                to[i++] = static_cast<u8>(
                    place_of(ends, element[static_cast<std::size_t>(std::countr_zero(rest) / 2)]));
            single.images.push_back(to);
        }
        single.weight = step.top_group.size() / single.images.size();
        reserved.add(u64{top.group.count} * sizeof(single.entries[0]));
        single.entries.reserve(top.group.count);
        move_entries(single, context.modulus, workers);
        singles.push_back(std::move(single));
    }
    if (most > kMostClosed + 1) throw std::length_error("a single pattern has too many ends");
    ContractionLists lists;
    lists.prepare(std::min(most - 1, ContractionLists::kMostListed), workers);
    reserved.add(lists.bytes(workers.threads()));
    std::deque<SingleWorkspace> workspaces;
    for (int w = 0; w < workers.threads(); ++w) workspaces.emplace_back(context, lists);
    std::vector<std::pair<std::size_t, int>> tasks; // a single pattern and a mate
    for (std::size_t n = 0; n < singles.size(); ++n)
        for (int x = 1; x < 2 * singles[n].pairs; ++x) tasks.emplace_back(n, x);
    std::vector<u128> sums(tasks.size());
    std::atomic<u64> done{0};
    const u64 before = workers.progress().step;
    workers.run(tasks.size(), [&](int worker, u64 task) {
        const auto [n, x] = tasks[task];
        sums[task] = workspaces[static_cast<std::size_t>(worker)].take(worker, singles[n], x);
        const u64 ended = ++done;
        if (worker == 0) workers.progress().step = before + ended * 1000 / tasks.size();
    });
    JoinResult all;
    all.totals.resize(kMostPairs + 1);
    for (const SingleWorkspace& workspace : workspaces) {
        all.extended += workspace.extended;
        all.overflow = all.overflow || workspace.overflow;
    }
    for (std::size_t n = 0, task = 0; n < singles.size(); ++n) {
        const Single& single = singles[n];
        u128 sum = 0;
        for (; task < tasks.size() && tasks[task].first == n; ++task)
            all.overflow = add_overflows(sum, sums[task], &sum) || all.overflow;
        const u64 elements = single.images.size();
        if (context.modulus == 0) {
            // The numbers of pairs are the same for the images of both by one element.
            if (!all.overflow && sum % elements != 0) throw std::logic_error("tables that no group keeps");
            sum /= elements;
        } else {
            sum = sum % context.modulus * inverse_modulo(elements, context.modulus) % context.modulus;
        }
        all.add(static_cast<std::size_t>(single.pairs), sum, single.weight, context.modulus);
        ++all.patterns;
    }
    return all;
}

} // namespace ktsolve::join
