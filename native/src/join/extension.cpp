// See join/extension.hpp.
#include "join/extension.hpp"

#include <algorithm>

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
    // Choices are in the order in which subsets are chosen edge by edge, without each edge before with it:
    // the first of all that begin with the same edges is contained in the others, which follow it.
    for (std::size_t c = choices_.size(); c-- > 0;) {
        DeferredChoice& choice = choices_[c];
        const auto contains = [&](const DeferredChoice& other) {
            return other.chosen.size() >= choice.chosen.size() &&
                   std::equal(choice.chosen.begin(), choice.chosen.end(), other.chosen.begin());
        };
        choice.next = c + 1;
        while (choice.next < choices_.size() && contains(choices_[choice.next]))
            choice.next = choices_[choice.next].next;
    }
}

void Side::mark_reached(PagedVector<u64>& bits, Workers& workers) const {
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
                for (std::size_t w = 0; w < forward_.size();)
                    if (forward_[w].applies(images[m]))
                        mark(number + choices_[w++].number_delta);
                    else
                        w = choices_[w].next; // nor do those that contain it
            }
        }
        workers.tick(worker);
    });
}

void Side::candidates(u64 pattern, std::vector<Candidate>& found) const {
    const u64 number = numbering_->of(pattern);
    const u64 low = pattern & kLow, high = (pattern >> 1) & kLow, some = low | high;
    const bool folded = half_->folded;
    const u64 image = folded ? half_->mirror(pattern) : 0;
    const u64 image_number = folded ? numbering_->of(image) : 0;
    for (std::size_t c = 0; c < choices_.size();) {
        const DeferredChoice& choice = choices_[c];
        if ((some & choice.need_some) != choice.need_some || (high & choice.need_full) != choice.need_full) {
            c = choice.next; // nor does any that contains it lead here
            continue;
        }
        const u64 source = pattern - choice.delta, source_image = image - choice.mirror_delta;
        const bool mirrored = folded && source > source_image;
        if (mirrored)
            found.push_back(
                {image_number - choice.mirror_number_delta, source_image, static_cast<u32>(c), true});
        else
            found.push_back({number - choice.number_delta, source, static_cast<u32>(c), false});
        if (index_ != nullptr) index_->prefetch(found.back().number);
        ++c;
    }
}

void Side::keep_present(std::vector<Candidate>& candidates) const {
    if (index_ == nullptr) return;
    std::size_t there = 0;
    for (const Candidate& candidate : candidates) {
        candidates[there] = candidate;
        there += index_->has(candidate.number); // no branch, which nothing could predict
    }
    candidates.resize(there);
    for (const Candidate& candidate : candidates) index_->prefetch_group(candidate.number);
}

u64 Side::sources_of(const std::vector<Candidate>& candidates, std::vector<Source>& found) const {
    constexpr u64 kTooMuch = u64{1} << 63;
    u64 bound = 0;
    const auto take = [&](const Candidate& candidate, const GroupRef& group, u64 place) {
        const DeferredChoice& deferred = choices_[candidate.choice];
        bound = std::min(kTooMuch, bound + (u64{1} << group.sum_bits));
        found.push_back({group, candidate.source, candidate.choice,
                         candidate.mirrored ? &deferred.mirror_runs : &deferred.runs, candidate.mirrored,
                         group.uses + static_cast<u32>(deferred.uses), place});
    };
    if (index_ == nullptr) {
        for (const Candidate& candidate : candidates)
            if (const GroupRef group = kept_->find_whole(candidate.source, ends_); group.entries != nullptr)
                take(candidate, group, 0);
        return bound;
    }
    for (const Candidate& candidate : candidates)
        for (const GroupRef& group : index_->find(candidate.number))
            take(candidate, group, index_->place_of(group));
    return bound;
}

u64 Side::sources(u64 pattern, std::vector<Source>& found) const {
    std::vector<Candidate> all;
    candidates(pattern, all);
    keep_present(all);
    return sources_of(all, found);
}

template void extend(const Source&, Transitions&, const EndsOf&, AddTo<u32>&);
template void extend(const Source&, Transitions&, const EndsOf&, AddTo<u64>&);
template void extend(const Source&, Transitions&, const EndsOf&, Weigh<u32, 8, u64>&);
template void extend(const Source&, Transitions&, const EndsOf&, Weigh<u32, 8, u128>&);
template void extend(const Source&, Transitions&, const EndsOf&, Weigh<u64, 8, u64>&);
template void extend(const Source&, Transitions&, const EndsOf&, Weigh<u64, 8, u128>&);
template void extend(const Source&, Transitions&, const EndsOf&, Weigh<u64, 1, u64>&);
template void extend(const Source&, Transitions&, const EndsOf&, Weigh<u64, 1, u128>&);
template void extend(const Source&, Transitions&, const EndsOf&, WeighInMirror<u64>&);
template void extend(const Source&, Transitions&, const EndsOf&, WeighInMirror<u128>&);
template void extend(const Source&, Transitions&, const EndsOf&, WeighLanes<Narrow8, u64>&);
template void extend(const Source&, Transitions&, const EndsOf&, WeighLanes<Narrow8, u128>&);
template void extend(const Source&, Transitions&, const EndsOf&, WeighLanes<Wide8, u64>&);
template void extend(const Source&, Transitions&, const EndsOf&, WeighLanes<Wide8, u128>&);
template void extend(const Source&, Transitions&, const EndsOf&, WeighLanes<u64, u64>&);
template void extend(const Source&, Transitions&, const EndsOf&, WeighLanes<u64, u128>&);

} // namespace ktsolve::join
