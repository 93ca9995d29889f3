// See join/workspace.hpp.
#include "join/workspace.hpp"

#include <algorithm>

namespace ktsolve::join {

Workspace::Workspace(const JoinStep& step, const ContractionLists& lists, int worker)
    : Lanes(step, lists, worker) {
    result.totals.resize(step_.tops.size());
}

void Workspace::take(u64 pattern, u64 opposite, u64 weight, u64 tag) {
    ++result.patterns;
    const u64 ends = step_.context.ends(pattern);
    const int pairs = pairs_of(ends);
    if (pairs > ContractionLists::kMostListed) {
        const Batch one{{pattern}, {opposite}, {weight}, {tag}, 1};
        find_bottom_sources(one);
        work<u64>(one, pairs);
        return;
    }
    // The permutations of ranks depend on this.
    const auto key = [&](const FieldPermutation* symmetry, u64 of) {
        return symmetry == nullptr ? u64{0} : permutation_key(to_, symmetry->ends_to(of, to_));
    };
    const u64 other = step_.context.ends(opposite);
    const Half& half = step_.bottom.half();
    Batch& batch = batches_[{pairs, key(mirror_, ends), key(half.folded ? &half.mirror : nullptr, other),
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
    if (most_ < u64{1} << 32)
        work<Narrow8>(batch, pairs);
    else
        work<Wide8>(batch, pairs);
    batch.count = 0;
}

void Workspace::find_bottom_sources(const Batch& batch) {
    most_ = 0;
    search_.run(step_.bottom, batch.opposite.data(), static_cast<std::size_t>(batch.count), bottom_.data(),
                [&](std::size_t, u64 bound) { most_ = std::max(most_, bound); });
}

template <class V> void Workspace::work(const Batch& batch, int pairs) {
    begin<V>(pairs);
    for (std::size_t l = 0; l < static_cast<std::size_t>(batch.count); ++l)
        for (std::size_t s = 0; s < bottom_[l].size(); ++s) {
            prefetch_entries(bottom_[l], s + 1);
            add_source<V>(bottom_[l][s], pairs, l);
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
    const auto in_mirror = [](const Source& source) { return source.mirrored; };
    const V* mirrored = nullptr;
    for (std::size_t t = 0; t < step_.tops.size(); ++t) {
        std::array<u64, 8> bounds{};
        const auto lanes = static_cast<std::size_t>(batch.count);
        search_.run(*step_.tops[t], batch.pattern.data(), lanes, top_.data(),
                    [&](std::size_t l, u64 bound) { bounds[l] = bound; });
        for (std::size_t l = 0; l < lanes; ++l) {
            const auto& sources = top_[l];
            const auto total = [&]<class Total>(Total) {
                Weigh<Number<V>, kLanes<V>, Total> own{numbers(closed) + l};
                if (std::none_of(sources.begin(), sources.end(), in_mirror))
                    return weighed(sources, own, own);
                if constexpr (kLanes<V> == 1) {
                    auto image = weigh_in_mirror<Total>(closed, batch.pattern[l], pairs);
                    return weighed(sources, own, image);
                } else {
                    if (mirrored == nullptr) mirrored = seen_in_mirror(closed, batch.pattern[0], pairs);
                    Weigh<Number<V>, kLanes<V>, Total> image{numbers(mirrored) + l};
                    return weighed(sources, own, image);
                }
            };
            const u128 number =
                std::bit_width(bounds[l]) + std::bit_width(most_) > 64 ? total(u128{0}) : total(u64{0});
            if (step_.each != nullptr) (*step_.each)[batch.tag[l]] = number;
            result.add(t, number, batch.weight[l], step_.context.modulus);
        }
    }
}

template <class Own, class Image>
u128 Workspace::weighed(const std::vector<Source>& sources, Own& own, Image& image) {
    for (std::size_t s = 0; s < sources.size(); ++s) {
        prefetch_entries(sources, s + 1);
        if (sources[s].mirrored)
            extend(sources[s], step_.context.transitions, step_.context.ends, image);
        else
            extend(sources[s], step_.context.transitions, step_.context.ends, own);
        result.extended += sources[s].group.count;
    }
    u128 total = own.total;
    if (static_cast<const void*>(&own) != static_cast<const void*>(&image)) total += image.total;
    return total;
}

} // namespace ktsolve::join
