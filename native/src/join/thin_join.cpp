// Contracts lists of entries, for groups of so many pairs that most matchings have no count.
#include "join/thin_join.hpp"

#include <algorithm>

namespace ktsolve::join {

template <class Entry> std::vector<Entry>& EntryList<Entry>::merged() {
    std::sort(entries_.begin(), entries_.end(), [](const Entry& a, const Entry& b) { return a.before(b); });
    std::size_t n = 0;
    for (const Entry& entry : entries_) {
        if (n == 0 || !entries_[n - 1].same(entry))
            entries_[n++] = entry;
        else if (add_overflows(entries_[n - 1].count, entry.count, &entries_[n - 1].count))
            throw CountTooWide{};
    }
    entries_.erase(entries_.begin() + static_cast<std::ptrdiff_t>(n), entries_.end());
    return entries_;
}

template <class Entry> void EntryList<Entry>::make_room() {
    if (entries_.size() >= merge_at_) {
        const std::size_t before = entries_.size();
        merge_at_ = std::max(kLeast, 2 * merged().size());
        if (2 * entries_.size() <= before) return;
    }
    const std::size_t room = std::max(kLeast, 2 * entries_.capacity());
    reserved_.add((room - entries_.capacity()) * sizeof(Entry));
    entries_.reserve(room);
}

template class EntryList<ThinEntry>;
template class EntryList<WeighedEntry>;

bool ThinJoin::run(int pairs, std::vector<u128>& sums) {
    sums_ = sums.data();
    overflow_ = false;
    const std::vector<WeighedEntry>& with = weighed.merged();
    close(pairs, contracted.merged(), {with.data(), with.data() + with.size()}, 0);
    return overflow_;
}

template <class Add>
void ThinJoin::contract(int pairs, int x, const std::vector<ThinEntry>& b, Add&& add) const {
    constexpr int blocks = EdgeByBlocks::kPairs;
    const u64 block = kMatchings[static_cast<std::size_t>(pairs - 1)];
    const auto each = [&](auto&& rank_after) {
        for (const ThinEntry& entry : b)
            if (const u64 then = rank_after(entry.rank); then < block) add(then, entry.count);
    };
    if (pairs == blocks) {
        const EdgeByBlocks& edge = transitions_.by_blocks(Kind::connect, 0, x);
        each([&](u64 rank) { return edge.rank_after(rank); });
    } else if (pairs == blocks + 1) {
        // Where the first end has the mate y, what is left is the rest with x in the place of y.
        std::array<const EdgeByBlocks*, 2 * blocks + 1> moves{};
        for (int y = 1; y < 2 * pairs; ++y)
            if (const int from = x - 1 - (y < x), to = y - 1 - (x < y); y != x && from != to)
                moves[static_cast<std::size_t>(y - 1)] = &transitions_.by_blocks(Kind::move, from, to);
        each([&](u64 rank) {
            const u64 y = rank / block + 1, rest = rank % block;
            if (y == static_cast<u64>(x)) return block;
            const EdgeByBlocks* const move = moves[y - 1];
            return move == nullptr ? rest : move->rank_after(rest);
        });
    } else {
        const EdgeOnMates edge(Kind::connect, pairs, 0, x);
        each([&](u64 rank) { return edge.rank_after(mates_of_rank(pairs, rank)); });
    }
}

// The first of the ranks in `with` is `first`.
void ThinJoin::close(int pairs, const std::vector<ThinEntry>& b, Span with, u64 first) {
    const bool last = pairs - 1 == base_;
    const u64 block = kMatchings[static_cast<std::size_t>(pairs - 1)];
    if (last && sums_of_base_.empty()) {
        reserved_.add(16 * (block + 1));
        sums_of_base_.resize(block + 1);
        closed_.resize(block + 1);
    }
    for (int x = 1; x < 2 * pairs; ++x, first += block) {
        Span here{with.begin, with.begin};
        while (here.end != with.end && here.end->rank < first + block) ++here.end;
        with.begin = here.end;
        if (here.begin == here.end) continue;
        if (space_.pause) space_.pause();
        if (last) {
            std::fill(sums_of_base_.begin(), sums_of_base_.end(), u64{0});
            contract(pairs, x, b, [&](u64 rank, u64 count) { sums_of_base_[rank] += count; });
            close_base(here, first);
            continue;
        }
        std::vector<ThinEntry>& left = level_[static_cast<std::size_t>(pairs - 1)];
        if (left.capacity() < b.size()) {
            reserved_.add((b.size() - left.capacity()) * sizeof(ThinEntry));
            left.reserve(b.size());
        }
        left.clear();
        contract(pairs, x, b, [&](u64 rank, u64 count) { left.emplace_back(rank, count); });
        close(pairs - 1, left, here, first);
    }
}

void ThinJoin::close_base(Span with, u64 first) {
    close_cycles(base_, sums_of_base_.data(), closed_.data(), lists_, space_);
    for (const WeighedEntry* entry = with.begin; entry != with.end; ++entry) {
        u128& sum = sums_[entry->total];
        const u128 product = static_cast<u128>(closed_[entry->rank - first]) * entry->count;
        overflow_ = add_overflows(sum, product, &sum) || overflow_;
    }
}

} // namespace ktsolve::join
