// Joins pairs of patterns, eight at a time: the work of one thread.
#include "join/workspace.hpp"

#include <algorithm>
#include <numeric>

namespace ktsolve::join {

int most_in_lanes(Context& context) {
    constexpr u64 arrays = 3 * 8 * words_of_rows<Wide8>(kMatchings[ContractionLists::kMostListed] + 1);
    const u64 all = arrays * static_cast<u64>(context.workers.threads());
    return ContractionLists::kMostListed - (all > context.pool.left() / 2 ? 1 : 0);
}

Workspace::Workspace(const JoinStep& step, const ContractionLists& lists, int worker, int in_lanes)
    : Lanes(step, lists, worker), in_lanes_(in_lanes),
      thin_(in_lanes, step.context.pool, step.context.transitions, lists, space_) {
    result.totals.resize(step_.totals);
    sums_.resize(8 * step_.totals);
}

void Workspace::take(u64 pattern, u64 opposite, u64 weight, u64 tag) {
    ++result.patterns;
    const u64 ends = step_.context.ends(pattern);
    const int pairs = pairs_of(ends);
    if (pairs > in_lanes_) {
        const Batch one{{pattern}, {opposite}, {weight}, {tag}, 1};
        find_bottom_sources(one);
        if (step_.use)
            in_words([&] { work<u64>(one, pairs); });
        else
            join_thin(one, pairs);
        return;
    }
    // The permutations of ranks depend on this.
    const auto key = [&](const FieldPermutation* symmetry, u64 of) {
        return symmetry == nullptr ? u64{0} : permutation_key(to_, symmetry->ends_to(of, to_));
    };
    const u64 other = step_.context.ends(opposite);
    Batch& batch = batches_[{pairs, key(mirror_, ends),
                             key(step_.bottom.folded() ? &step_.bottom.mirror() : nullptr, other),
                             key(step_.flip, other)}];
    const auto lane = static_cast<std::size_t>(batch.count++);
    batch.pattern[lane] = pattern;
    batch.opposite[lane] = opposite;
    batch.weight[lane] = weight;
    batch.tag[lane] = tag;
    if (batch.count == 8) join_batch(batch, pairs);
}

void Workspace::finish(int worker) {
    worker_ = worker;
    for (auto& [key, batch] : batches_)
        if (batch.count > 0) join_batch(batch, std::get<0>(key));
}

void Workspace::join_batch(Batch& batch, int pairs) {
    find_bottom_sources(batch);
    in_words([&] {
        if (most_ < u64{1} << 32)
            work<Narrow8>(batch, pairs);
        else
            work<Wide8>(batch, pairs);
    });
    batch.count = 0;
}

// Joins once; where sums of the bottom's counts may pass 63 bits twice, first with the low 32 bits of each
// count and then with the others, so that all numbers that a matching closes fit.
template <class Join> void Workspace::in_words(Join&& join) {
    constexpr int kWord = 32;
    if (most_ < kWideSum) {
        join();
        return;
    }
    if (step_.use || step_.each != nullptr || entries_ >> (63 - kWord) != 0) throw CountTooWide{};
    most_ = entries_ << kWord;
    for (const int from : {0, kWord}) {
        word_ = {from, (u64{1} << kWord) - 1};
        factor_ = u64{1} << from;
        join();
    }
    word_.reset();
    factor_ = 1;
}

void Workspace::find_bottom_sources(const Batch& batch) {
    most_ = entries_ = 0;
    search_.run(step_.bottom, batch.opposite.data(), static_cast<std::size_t>(batch.count), bottom_.data(),
                [&](std::size_t lane, u64 bound) {
                    most_ = std::max(most_, bound);
                    u64 entries = 0;
                    for (const Source& source : bottom_[lane]) entries += source.group.count;
                    entries_ = std::max(entries_, entries);
                });
}

template <class V> void Workspace::work(const Batch& batch, int pairs) {
    begin<V>(pairs);
    for (std::size_t l = 0; l < static_cast<std::size_t>(batch.count); ++l)
        for (std::size_t s = 0; s < bottom_[l].size(); ++s) {
            prefetch_entries(bottom_[l], s + 1);
            add_source<V>(bottom_[l][s], pairs, l, word_);
            result.extended += bottom_[l][s].group.count;
        }
    const V* const closed = this->closed<V>(batch.opposite[0], pairs);
    if (step_.use) {
        for (std::size_t l = 0; l < static_cast<std::size_t>(batch.count); ++l) {
            const Number<V>* const at = numbers(closed) + l;
            ClosedLane lane{nullptr, nullptr, kLanes<V>};
            if constexpr (std::is_same_v<V, Narrow8>)
                lane.narrow = at;
            else
                lane.wide = at;
            step_.use(worker_, batch.tag[l], lane);
        }
        return;
    }
    if constexpr (kLanes<V> > 1) weigh(batch, pairs, closed);
}

template <class V> void Workspace::weigh(const Batch& batch, int pairs, const V* closed) {
    const auto lanes = static_cast<std::size_t>(batch.count);
    std::fill(sums_.begin(), sums_.end(), u128{0});
    const V* mirrored = nullptr;
    for (const Side* top : step_.tops) {
        search_.run(*top, batch.pattern.data(), lanes, top_.data(), [](std::size_t, u64) {});
        for (std::size_t l = 0; l < lanes; ++l) {
            u128* const sums = &sums_[l * step_.totals];
            const auto& sources = top_[l];
            const auto add = [&](const Source& source, auto&& sink) {
                extend(source, step_.context.transitions, step_.context.ends, sink);
                u128& sum = sums[source.total];
                result.overflow = add_overflows(sum, static_cast<u128>(sink.total), &sum) || result.overflow;
            };
            for (std::size_t s = 0; s < sources.size(); ++s) {
                const Source& source = sources[s];
                prefetch_entries(sources, s + 1);
                result.extended += source.group.count;
                if (source.mirrored && mirrored == nullptr)
                    mirrored = seen_in_mirror(closed, batch.pattern[0], pairs);
                const Number<V>* const values = numbers(source.mirrored ? mirrored : closed) + l;
                const int bits = source.group.sum_bits + static_cast<int>(std::bit_width(most_));
                if (bits > 128) throw CountTooWide{};
                if (bits > 64)
                    add(source, Weigh<Number<V>, kLanes<V>, u128>{values});
                else
                    add(source, Weigh<Number<V>, kLanes<V>, u64>{values});
            }
        }
    }
    add_sums(batch);
}

void Workspace::add_sums(const Batch& batch) {
    for (std::size_t l = 0; l < static_cast<std::size_t>(batch.count); ++l) {
        if (step_.each != nullptr) (*step_.each)[batch.tag[l]] = sums_[l * step_.totals];
        for (std::size_t t = 0; t < step_.totals; ++t)
            if (const u128 sum = sums_[l * step_.totals + t]; sum != 0)
                result.add(t, sum, batch.weight[l] * factor_, step_.context.modulus);
    }
}

void Workspace::join_thin(const Batch& one, int pairs) {
    using Ends = std::array<u8, kMostEnds>;
    const auto ends = [&](u64 pattern) { return step_.context.ends(pattern); };
    // Where the flip, the mirror of the bottom and then the flip, and the mirror of the tops put the ends.
    Ends flipped{}, image{}, mirrored{};
    if (step_.flip != nullptr)
        (void)step_.flip->ends_to(ends(one.opposite[0]), flipped);
    else
        std::iota(flipped.begin(), flipped.end(), u8{0});
    if (step_.bottom.folded()) {
        const FieldPermutation& mirror = step_.bottom.mirror();
        const int many = mirror.ends_to(ends(mirror(one.opposite[0])), image);
        for (int i = 0; i < many; ++i) {
            u8& to = image[static_cast<std::size_t>(i)];
            to = flipped[to];
        }
    }
    if (mirror_ != nullptr) (void)mirror_->ends_to(ends((*mirror_)(one.pattern[0])), mirrored);
    const u64 none = kMatchings[static_cast<std::size_t>(pairs)];
    const auto collect = [&]<class Entry>(const std::vector<Source>& sources, EntryList<Entry>& list,
                                          const Ends* own, const Ends& other, const CountBits& bits) {
        list.clear();
        for (std::size_t s = 0; s < sources.size(); ++s) {
            const Source& source = sources[s];
            prefetch_entries(sources, s + 1);
            const Ends* const to = source.mirrored ? &other : own;
            Collect<Entry> sink{&list, to == nullptr ? nullptr : to->data(), pairs, none, source.total, bits};
            extend(source, step_.context.transitions, step_.context.ends, sink);
            result.extended += source.group.count;
            step_.context.workers.tick(worker_);
        }
    };
    in_words([&] {
        collect(bottom_[0], thin_.contracted, step_.flip != nullptr ? &flipped : nullptr, image,
                word_.value_or(CountBits{}));
        std::fill(sums_.begin(), sums_.end(), u128{0});
        for (const Side* top : step_.tops) {
            search_.run(*top, one.pattern.data(), 1, top_.data(), [](std::size_t, u64) {});
            collect(top_[0], thin_.weighed, nullptr, mirrored, {});
            result.overflow = thin_.run(pairs, sums_) || result.overflow;
        }
        add_sums(one);
    });
}

} // namespace ktsolve::join
