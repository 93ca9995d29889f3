// Adds the deferred edges of a half on demand, for one pattern at a time.
#include "join/extension.hpp"

#include <algorithm>

#include "common/shared_words.hpp"

namespace ktsolve::join {

Side::Side(std::vector<const Half*> tables, const PatternIndex* index, const KeptLayer* kept,
           const std::vector<PortEdge>& edges, const std::vector<Ending>& endings, const Numbering& numbering,
           int split_slot)
    : tables_(std::move(tables)), index_(index), kept_(kept), numbering_(&numbering), ends_(split_slot) {
    const auto add = [&](EdgeChoice&& choice, int ending) {
        // A subset adds 1 or 2 to each of its fields, so the delta reads as a pattern.
        const u64 delta = choice.delta & kSlotBits;
        DeferredChoice deferred{choice.delta >> kUsesShift,
                                delta,
                                numbering.of(delta),
                                choice.runs,
                                choice.chosen,
                                0,
                                0,
                                {},
                                ending};
        if (folded()) {
            deferred.mirror_delta = mirror()(delta);
            deferred.mirror_number_delta = numbering.of(deferred.mirror_delta);
            for (const Run& run : choice.runs)
                deferred.mirror_runs.push_back({mirror().slot(run.p), mirror().slot(run.q)});
        }
        choices_.push_back(std::move(deferred));
        tests_.push_back({choice.need_some, choice.need_full, 0, ending >= 0});
        forward_.push_back(std::move(choice));
    };
    // Each subset by itself, and with every ending that it leaves room for.
    std::vector<std::vector<EdgeChoice>> ended;
    int alone = -1; // the ending without edges
    for (const Ending& ending : endings) {
        if (ending.edges.empty()) alone = static_cast<int>(ended.size());
        std::vector<PortEdge> all = edges;
        all.insert(all.end(), ending.edges.begin(), ending.edges.end());
        ended.push_back(subset_choices(all, split_slot));
        totals_.push_back(ending.totals);
    }
    std::vector<std::size_t> at(endings.size()); // the first choice that is not placed yet
    for (EdgeChoice& subset : subset_choices(edges, split_slot)) {
        const std::vector<int> chosen = subset.chosen;
        add(std::move(subset), alone);
        for (std::size_t e = 0; e < endings.size(); ++e) {
            if (endings[e].edges.empty() || at[e] == ended[e].size()) continue;
            EdgeChoice& choice = ended[e][at[e]];
            if (choice.chosen.size() == chosen.size() + endings[e].edges.size() &&
                std::equal(chosen.begin(), chosen.end(), choice.chosen.begin())) {
                add(std::move(choice), static_cast<int>(e));
                ++at[e];
            }
        }
    }
    // Choices are in the order in which subsets are chosen edge by edge, without each edge before with it:
    // the first of all that begin with the same edges is contained in the others, which follow it. A subset
    // with an ending is contained in no other.
    for (std::size_t c = choices_.size(); c-- > 0;) {
        const std::vector<int>& chosen = choices_[c].chosen;
        const auto contains = [&](const DeferredChoice& other) {
            return other.chosen.size() >= chosen.size() &&
                   std::equal(chosen.begin(), chosen.end(), other.chosen.begin());
        };
        u32& next = tests_[c].next = static_cast<u32>(c) + 1;
        if (!chosen.empty() && chosen.back() >= static_cast<int>(edges.size())) continue;
        while (next < choices_.size() && contains(choices_[next])) next = tests_[next].next;
    }
}

void Side::mark_reached(PagedVector<u64>& bits, Workers& workers) const {
    const auto mark = [&](u64 number) {
        u64& word = bits[number >> 6];
        const u64 bit = u64{1} << (number & 63);
        if ((load_shared(word) & bit) == 0) set_in_shared(word, bit);
    };
    for (std::size_t t = 0; t < tables_.size(); ++t) {
        const auto& segments = tables_[t]->layer.segments();
        const auto joined = [&](std::size_t choice) {
            const int ending = choices_[choice].ending;
            return ending >= 0 && totals_[static_cast<std::size_t>(ending)][t] >= 0;
        };
        workers.run(segments.size(), [&](int worker, u64 s) {
            for (const Group& group : segments[s]) {
                const u64 images[2] = {group.pattern, folded() ? mirror()(group.pattern) : group.pattern};
                for (int m = 0; m < (images[0] == images[1] ? 1 : 2); ++m) {
                    const u64 number = numbering_->of(images[m]);
                    for (std::size_t w = 0; w < forward_.size();) {
                        if (!forward_[w].applies(images[m])) {
                            w = tests_[w].next; // nor do those that contain it
                            continue;
                        }
                        if (joined(w)) mark(number + choices_[w].number_delta);
                        ++w;
                    }
                }
            }
            workers.tick(worker);
        });
    }
}

void Side::candidates(u64 pattern, std::vector<Candidate>& found) const {
    const u64 number = numbering_->of(pattern);
    const u64 low = pattern & kLow, high = (pattern >> 1) & kLow, some = low | high;
    const bool folded = this->folded();
    const u64 image = folded ? mirror()(pattern) : 0;
    const u64 image_number = folded ? numbering_->of(image) : 0;
    for (u32 c = 0; c < tests_.size();) {
        const ChoiceTest& test = tests_[c];
        if ((some & test.need_some) != test.need_some || (high & test.need_full) != test.need_full) {
            c = test.next; // nor does any that contains it lead here
            continue;
        }
        const u32 at = c++;
        if (!test.joined) continue;
        const DeferredChoice& choice = choices_[at];
        const u64 source = pattern - choice.delta, source_image = image - choice.mirror_delta;
        const bool mirrored = folded && source > source_image;
        // Of a pattern that is its own mirror image both.
        if (mirrored || (folded && source == source_image))
            found.push_back({image_number - choice.mirror_number_delta, source_image, at, true});
        if (!mirrored) found.push_back({number - choice.number_delta, source, at, false});
        if (index_ != nullptr) index_->prefetch(found.back().number);
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
    u64 bound = 0;
    const bool several = tables_.size() > 1;
    const auto take = [&](const Candidate& candidate, const GroupRef& group, u64 place) {
        const DeferredChoice& deferred = choices_[candidate.choice];
        const int total = totals_[static_cast<std::size_t>(deferred.ending)][several ? group.label : 0];
        if (total < 0) return;
        bound = bound_with(bound, group.sum_bits);
        found.push_back({group, candidate.source, candidate.choice,
                         candidate.mirrored ? &deferred.mirror_runs : &deferred.runs, candidate.mirrored,
                         (several ? 0 : group.label) + static_cast<u32>(deferred.uses),
                         static_cast<u32>(total), place});
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
template void extend(const Source&, Transitions&, const EndsOf&, AddBits&);
template void extend(const Source&, Transitions&, const EndsOf&, Weigh<u32, 8, u64>&);
template void extend(const Source&, Transitions&, const EndsOf&, Weigh<u32, 8, u128>&);
template void extend(const Source&, Transitions&, const EndsOf&, Weigh<u64, 8, u64>&);
template void extend(const Source&, Transitions&, const EndsOf&, Weigh<u64, 8, u128>&);
template void extend(const Source&, Transitions&, const EndsOf&, Collect<ThinEntry>&);
template void extend(const Source&, Transitions&, const EndsOf&, Collect<WeighedEntry>&);
template void extend(const Source&, Transitions&, const EndsOf&, WeighLanes<Narrow8, u64>&);
template void extend(const Source&, Transitions&, const EndsOf&, WeighLanes<Narrow8, u128>&);
template void extend(const Source&, Transitions&, const EndsOf&, WeighLanes<Wide8, u64>&);
template void extend(const Source&, Transitions&, const EndsOf&, WeighLanes<Wide8, u128>&);
template void extend(const Source&, Transitions&, const EndsOf&, WeighLanes<u64, u64>&);
template void extend(const Source&, Transitions&, const EndsOf&, WeighLanes<u64, u128>&);

} // namespace ktsolve::join
