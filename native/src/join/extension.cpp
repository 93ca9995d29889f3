// See join/extension.hpp.
#include "join/extension.hpp"

#include "common/shared_words.hpp"

namespace ktsolve::join {

Side::Side(const Half& half, const PatternIndex* index, const KeptLayer* kept,
           const std::vector<PortEdge>& edges, const Numbering& numbering, int split_slot)
    : half_(&half), index_(index), kept_(kept), numbering_(&numbering), ends_(split_slot),
      forward_(subset_choices(edges, split_slot)) {
    for (const EdgeChoice& choice : forward_) {
        // A subset adds 1 or 2 to each of its fields, so the delta reads as a pattern.
        const u64 delta = choice.delta & kSlotBits;
        DeferredChoice deferred{choice.need_some,
                                choice.need_full,
                                choice.delta >> kUsesShift,
                                delta,
                                numbering.of(delta),
                                choice.runs,
                                choice.chosen,
                                0,
                                0,
                                {}};
        if (half.folded) {
            deferred.mirror_delta = half.mirror(delta);
            deferred.mirror_number_delta = numbering.of(deferred.mirror_delta);
            for (const Run& run : choice.runs)
                deferred.mirror_runs.push_back({half.mirror.slot(run.p), half.mirror.slot(run.q)});
        }
        choices_.push_back(std::move(deferred));
    }
}

void Side::mark_reached(std::vector<u64>& bits, Workers& workers) const {
    const auto& segments = half_->layer.segments();
    const auto mark = [&](u64 number) {
        u64& word = bits[number >> 6];
        const u64 bit = u64{1} << (number & 63);
        if ((load_shared(word) & bit) == 0) set_in_shared(word, bit);
    };
    workers.run(segments.size(), [&](int worker, u64 s) {
        for (const Group& group : segments[s]) {
            const u64 images[2] = {group.pattern,
                                   half_->folded ? half_->mirror(group.pattern) : group.pattern};
            for (int m = 0; m < (images[0] == images[1] ? 1 : 2); ++m) {
                const u64 number = numbering_->of(images[m]);
                for (std::size_t w = 0; w < forward_.size(); ++w)
                    if (forward_[w].applies(images[m])) mark(number + choices_[w].number_delta);
            }
        }
        workers.tick(worker);
    });
}

u64 Side::sources(u64 pattern, std::vector<Source>& found) const {
    constexpr u64 kTooMuch = u64{1} << 63;
    const u64 number = numbering_->of(pattern);
    const u64 low = pattern & kLow, high = (pattern >> 1) & kLow, some = low | high;
    u64 bound = 0;
    GroupRef one;
    const auto take = [&](u64 of, u64 source, std::size_t choice, bool mirrored) {
        const DeferredChoice& deferred = choices_[choice];
        for (const GroupRef& group : find(of, source, one)) {
            bound = std::min(kTooMuch, bound + (u64{1} << group.sum_bits));
            found.push_back({group, source, choice, mirrored ? &deferred.mirror_runs : &deferred.runs,
                             mirrored, group.uses + static_cast<u32>(deferred.uses),
                             index_ == nullptr ? 0 : index_->place_of(group)});
        }
    };
    const u64 image = half_->folded ? half_->mirror(pattern) : 0;
    const u64 image_number = half_->folded ? numbering_->of(image) : 0;
    for (std::size_t c = 0; c < choices_.size(); ++c) {
        const DeferredChoice& choice = choices_[c];
        if ((some & choice.need_some) != choice.need_some || (high & choice.need_full) != choice.need_full)
            continue;
        const u64 source = pattern - choice.delta, source_image = image - choice.mirror_delta;
        if (!half_->folded || source <= source_image)
            take(number - choice.number_delta, source, c, false);
        else
            take(image_number - choice.mirror_number_delta, source_image, c, true);
    }
    return bound;
}

u64 rank_after_all(const std::array<RankMap, 16>& maps, const std::array<u8, 17>& pairs, int count,
                   u64 rank) {
    for (int i = 0; i < count; ++i) {
        const RankMap& map = maps[static_cast<std::size_t>(i)];
        const int k = pairs[static_cast<std::size_t>(i)];
        switch (map.what) {
        case RankMap::What::same:
            break;
        case RankMap::What::table:
            rank = map.table.narrow != nullptr ? map.table.narrow[rank] : map.table.wide[rank];
            break;
        default:
            rank = rank_after(map.kind, k, map.i, map.j, rank);
            break;
        }
        if (rank >= kMatchings[pairs[static_cast<std::size_t>(i + 1)]])
            return kMatchings[pairs[static_cast<std::size_t>(count)]];
    }
    return rank;
}

template void extend(const Source&, Transitions&, const EndsOf&, AddTo<u32, 8>&);
template void extend(const Source&, Transitions&, const EndsOf&, AddTo<u64, 8>&);
template void extend(const Source&, Transitions&, const EndsOf&, AddTo<u64, 1>&);
template void extend(const Source&, Transitions&, const EndsOf&, Weigh<u32, 8, u64>&);
template void extend(const Source&, Transitions&, const EndsOf&, Weigh<u32, 8, u128>&);
template void extend(const Source&, Transitions&, const EndsOf&, Weigh<u64, 8, u64>&);
template void extend(const Source&, Transitions&, const EndsOf&, Weigh<u64, 8, u128>&);
template void extend(const Source&, Transitions&, const EndsOf&, Weigh<u64, 1, u64>&);
template void extend(const Source&, Transitions&, const EndsOf&, Weigh<u64, 1, u128>&);
template void extend(const Source&, Transitions&, const EndsOf&, WeighLanes<Narrow8, u64>&);
template void extend(const Source&, Transitions&, const EndsOf&, WeighLanes<Narrow8, u128>&);
template void extend(const Source&, Transitions&, const EndsOf&, WeighLanes<Wide8, u64>&);
template void extend(const Source&, Transitions&, const EndsOf&, WeighLanes<Wide8, u128>&);
template void extend(const Source&, Transitions&, const EndsOf&, WeighLanes<u64, u64>&);
template void extend(const Source&, Transitions&, const EndsOf&, WeighLanes<u64, u128>&);

} // namespace ktsolve::join
