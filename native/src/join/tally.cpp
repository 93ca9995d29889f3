// Adds up the cycles of a join by the number of tallied edges that they use.
#include "join/tally.hpp"

#include <algorithm>

namespace ktsolve::join {

TallyWorkspace::TallyWorkspace(const JoinStep& step, const ContractionLists& lists, int worker)
    : Lanes(step, lists, worker) {
    result.totals.resize(kMostUses + 1);
}

void TallyWorkspace::take(u64 pattern, u64 opposite, u64 weight) {
    u64 most = 0, bound = 0;
    search_.run(step_.bottom, &opposite, 1, &bottom_, [&](std::size_t, u64 sum) { most = sum; });
    search_.run(*step_.tops[0], &pattern, 1, &top_, [&](std::size_t, u64 sum) { bound = sum; });
    if ((most | bound) >> 63 != 0) throw CountTooWide{};
    if (bottom_.empty() || top_.empty()) return;
    ++result.patterns;
    // Sources of equal uses lie together, so that their totals are added up in registers.
    std::stable_sort(top_.begin(), top_.end(),
                     [](const Source& a, const Source& b) { return a.uses < b.uses; });
    const auto [least, greatest] = std::minmax_element(
        bottom_.begin(), bottom_.end(), [](const Source& a, const Source& b) { return a.uses < b.uses; });
    least_ = least->uses;
    greatest_ = greatest->uses;
    wide_totals_ = std::bit_width(bound) + std::bit_width(most) > 64;
    const int pairs = pairs_of(step_.context.ends(pattern));
    if (pairs > ContractionLists::kMostListed)
        work<u64>(pattern, opposite, pairs, weight);
    else if (most < u64{1} << 32)
        work<Narrow8>(pattern, opposite, pairs, weight);
    else
        work<Wide8>(pattern, opposite, pairs, weight);
}

template <class V> void TallyWorkspace::work(u64 pattern, u64 opposite, int pairs, u64 weight) {
    const bool in_mirror =
        std::any_of(top_.begin(), top_.end(), [](const Source& source) { return source.mirrored; });
    for (u32 from = least_; from <= greatest_; from += kLanes<V>) {
        begin<V>(pairs);
        bool any = false;
        for (const Source& source : bottom_)
            if (source.uses >= from && source.uses < from + kLanes<V>) {
                add_source<V>(source, pairs, source.uses - from);
                result.extended += source.group.count;
                any = true;
            }
        if (!any) continue;
        const V* const closed = this->closed<V>(opposite, pairs);
        const V* const mirrored = in_mirror ? seen_in_mirror(closed, pattern, pairs) : nullptr;
        if (wide_totals_)
            weigh<V, u128>(closed, mirrored, from, weight);
        else
            weigh<V, u64>(closed, mirrored, from, weight);
    }
}

template <class V, class Total>
void TallyWorkspace::weigh(const V* closed, const V* mirrored, u32 from, u64 weight) {
    for (std::size_t s = 0; s < top_.size();) {
        const u32 uses = top_[s].uses;
        WeighLanes<V, Total> own{closed}, image{mirrored};
        for (; s < top_.size() && top_[s].uses == uses; ++s) {
            extend(top_[s], step_.context.transitions, step_.context.ends, top_[s].mirrored ? image : own);
            result.extended += top_[s].group.count;
        }
        for (std::size_t lane = 0; lane < kLanes<V>; ++lane)
            if (const u128 total = static_cast<u128>(own.total[lane]) + image.total[lane]; total != 0) {
                const std::size_t all = uses + from + lane;
                if (all > kMostUses) throw CountTooWide{};
                result.add(all, total, weight, step_.context.modulus);
            }
    }
}

} // namespace ktsolve::join
