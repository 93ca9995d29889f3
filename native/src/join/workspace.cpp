// See join/workspace.hpp.
#include "join/workspace.hpp"

#include <algorithm>
#include <type_traits>

namespace ktsolve::join {

namespace {

template <class V> constexpr int kStride = std::is_same_v<V, u64> ? 1 : 8;
template <class V> using Number = std::conditional_t<std::is_same_v<V, Narrow8>, u32, u64>;

template <class V> Number<V>* numbers(V* values) {
    return reinterpret_cast<Number<V>*>(values);
}
template <class V> const Number<V>* numbers(const V* values) {
    return reinterpret_cast<const Number<V>*>(values);
}

bool is_zero(const u64& value) {
    return value == 0;
}
template <class V> bool is_zero(const V&) {
    return false; // a test of eight lanes would take longer than adding them
}

u64 find_sources(const Side& side, u64 pattern, std::vector<Source>& found) {
    found.clear();
    const u64 bound = side.sources(pattern, found);
    if (bound >> 63 != 0) throw CountTooWide{};
    for (const Source& source : found) __builtin_prefetch(source.group.entries);
    return bound;
}

} // namespace

Workspace::Workspace(const JoinStep& step, const ContractionLists& lists, int worker)
    : step_(step), lists_(lists), worker_(worker), reserved_(step.context.pool) {
    std::get<Space<u64>>(spaces_).pause = [this] { step_.context.workers.tick(worker_); };
    result.totals.resize(step_.tops.size());
    for (const Side* top : step_.tops)
        if (top->half().folded) mirror_ = &top->half().mirror;
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
    for (std::size_t l = 0; l < static_cast<std::size_t>(batch.count); ++l)
        most_ = std::max(most_, find_sources(step_.bottom, batch.opposite[l], bottom_[l]));
}

template <class V> void Workspace::work(const Batch& batch, int pairs) {
    const V* const b = turned<V>(extended<V>(batch, pairs), batch.opposite[0], pairs);
    V* const closed = placed<V>(closed_, pairs);
    close_cycles(pairs, b, closed, lists_, step_.context.transitions, std::get<Space<V>>(spaces_));
    closed[kMatchings[static_cast<std::size_t>(pairs)]] =
        V{}; // the place of states in which an edge has closed a cycle
    if (step_.use) {
        for (std::size_t l = 0; l < static_cast<std::size_t>(batch.count); ++l) {
            const Number<V>* const at = numbers(closed) + l;
            ClosedLane lane{nullptr, nullptr, kStride<V>};
            if constexpr (std::is_same_v<V, Narrow8>)
                lane.narrow = at;
            else
                lane.wide = at;
            step_.use(worker_, batch.tag[l], lane);
        }
        return;
    }
    const V* mirrored = nullptr;
    for (std::size_t t = 0; t < step_.tops.size(); ++t) {
        std::array<u64, 8> bounds{};
        for (std::size_t l = 0; l < static_cast<std::size_t>(batch.count); ++l)
            bounds[l] = find_sources(*step_.tops[t], batch.pattern[l], top_[l]);
        for (std::size_t l = 0; l < static_cast<std::size_t>(batch.count); ++l) {
            const auto& sources = top_[l];
            if (mirrored == nullptr && std::any_of(sources.begin(), sources.end(),
                                                   [](const Source& source) { return source.mirrored; }))
                mirrored = seen_in_mirror(closed, batch.pattern[0], pairs);
            const auto total = std::bit_width(bounds[l]) + std::bit_width(most_) > 64
                                   ? &Workspace::weighed<V, u128>
                                   : &Workspace::weighed<V, u64>;
            const u128 number = (this->*total)(sources, closed, mirrored, static_cast<int>(l));
            if (step_.each != nullptr) (*step_.each)[batch.tag[l]] = number;
            add(result.totals[t], number, batch.weight[l]);
        }
    }
}

// Memory for a value per matching and one more.
template <class V> V* Workspace::placed(std::vector<u64>& memory, int pairs) {
    const std::size_t words =
        (kMatchings[static_cast<std::size_t>(pairs)] + 1) * (sizeof(V) / sizeof(u64)) + 8;
    if (memory.size() < words) {
        reserved_.add(8 * (words - memory.size()));
        memory.resize(words);
    }
    // Vectors of 64 bytes must be aligned.
    const auto at = reinterpret_cast<std::uintptr_t>(memory.data());
    return reinterpret_cast<V*>((at + 63) / 64 * 64);
}

template <class V> V* Workspace::cleared(std::vector<u64>& memory, int pairs) {
    V* const sums = placed<V>(memory, pairs);
    std::fill(sums, sums + kMatchings[static_cast<std::size_t>(pairs)], V{});
    return sums;
}

// visit(r, then) for all ranks r: then() is the rank after the symmetry. `used` ranks have counts.
template <class Visit>
void Workspace::each_permuted(const FieldPermutation& symmetry, u64 ends, int pairs, u64 used,
                              Visit&& visit) {
    (void)symmetry.ends_to(ends, to_);
    const RankMap map = cache_.map(step_.context.transitions, pairs, to_, used);
    with_map(map, pairs, [&](auto then) {
        for (u64 r = 0; r < kMatchings[static_cast<std::size_t>(pairs)]; ++r) visit(r, then);
    });
}

// sums[rank after the symmetry] += image[rank].
template <class V>
void Workspace::add_permuted(const FieldPermutation& symmetry, u64 ends, int pairs, const V* image, V* sums) {
    u64 used = kMatchings[static_cast<std::size_t>(pairs)];
    used -= static_cast<u64>(std::count_if(image, image + used, [](const V& v) { return is_zero(v); }));
    each_permuted(symmetry, ends, pairs, used, [&](u64 r, auto then) {
        if (!is_zero(image[r])) sums[then(r)] += image[r]; // in large groups most counts are 0
    });
}

// The bottom's extended groups of all lanes, added up.
template <class V> V* Workspace::extended(const Batch& batch, int pairs) {
    V* const own = cleared<V>(own_, pairs);
    V* image = nullptr;
    for (std::size_t l = 0; l < static_cast<std::size_t>(batch.count); ++l)
        for (const Source& source : bottom_[l]) {
            if (source.mirrored && image == nullptr) image = cleared<V>(image_, pairs);
            AddTo<Number<V>, kStride<V>> sink{numbers(source.mirrored ? image : own) + l};
            extend(source, step_.context.transitions, step_.context.ends, sink);
            result.extended += source.group.count;
        }
    if (image != nullptr) {
        const FieldPermutation& mirror = step_.bottom.half().mirror;
        // The sums belong to the mirror pattern; the mirror maps them back.
        add_permuted(mirror, step_.context.ends(mirror(batch.opposite[0])), pairs, image, own);
    }
    return own;
}

// The bottom's sums in the order of the top's ends.
template <class V> const V* Workspace::turned(V* sums, u64 opposite, int pairs) {
    if (step_.flip == nullptr) return sums;
    V* const turned = cleared<V>(turned_, pairs);
    add_permuted(*step_.flip, step_.context.ends(opposite), pairs, sums, turned);
    return turned;
}

// The values for matchings of the mirror pattern, for entries that belong there.
template <class V> const V* Workspace::seen_in_mirror(const V* closed, u64 pattern, int pairs) {
    V* const mirrored = placed<V>(mirrored_, pairs);
    const u64 many = kMatchings[static_cast<std::size_t>(pairs)];
    each_permuted(*mirror_, step_.context.ends((*mirror_)(pattern)), pairs, many,
                  [&](u64 r, auto then) { mirrored[r] = closed[then(r)]; });
    mirrored[many] = V{};
    return mirrored;
}

template <class V, class Total>
u128 Workspace::weighed(const std::vector<Source>& sources, const V* closed, const V* mirrored, int lane) {
    Weigh<Number<V>, kStride<V>, Total> own{numbers(closed) + lane}, image{numbers(mirrored) + lane};
    for (const Source& source : sources) {
        extend(source, step_.context.transitions, step_.context.ends, source.mirrored ? image : own);
        result.extended += source.group.count;
    }
    return static_cast<u128>(own.total) + image.total;
}

void Workspace::add(u128& total, u128 value, u64 weight) {
    if (step_.context.modulus != 0) {
        total = (total + value % step_.context.modulus * weight) % step_.context.modulus;
        return;
    }
    u128 product;
    result.overflow = result.overflow || __builtin_mul_overflow(value, static_cast<u128>(weight), &product) ||
                      __builtin_add_overflow(total, product, &total);
}

} // namespace ktsolve::join
