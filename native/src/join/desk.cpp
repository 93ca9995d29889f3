#include "join/desk.hpp"

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
    return false;
} // looking would take longer than adding

u64 find_sources(const Side& side, u64 pattern, std::vector<Source>& found) {
    found.clear();
    const u64 bound = side.sources(pattern, found);
    if (bound >> 63 != 0) throw CountTooWide{};
    for (const Source& source : found) __builtin_prefetch(source.group->entries);
    return bound;
}

} // namespace

Desk::Desk(const Meeting& meeting, const ContractionLists& lists, int worker)
    : m_(meeting), lists_(lists), worker_(worker), reserved_(meeting.shop.pool) {
    std::get<Space<u64>>(spaces_).pause = [this] { m_.shop.workers.tick(worker_); };
    met.totals.resize(m_.tops.size());
    for (const Side* top : m_.tops)
        if (top->half().folded) mirror_ = &top->half().mirror;
}

void Desk::take(u64 pattern, u64 opposite, u64 weight) {
    ++met.patterns;
    const u64 ends = m_.shop.ends(pattern);
    const int pairs = pairs_of(ends);
    if (pairs > ContractionLists::kMostListed) {
        const Waiting one{{pattern}, {opposite}, {weight}, 1};
        find_bottom_sources(one);
        work<u64>(one, pairs);
        return;
    }
    // What the permutations depend on.
    const auto key = [&](const FieldPermutation* symmetry, u64 of) {
        return symmetry == nullptr ? u64{0} : permutation_key(to_, symmetry->ends_to(of, to_));
    };
    const u64 other = m_.shop.ends(opposite);
    const Half& half = m_.bottom.half();
    Waiting& waiting = waiting_[{pairs, key(mirror_, ends), key(half.folded ? &half.mirror : nullptr, other),
                                 key(m_.flip, other)}];
    const auto lane = static_cast<std::size_t>(waiting.count++);
    waiting.pattern[lane] = pattern;
    waiting.opposite[lane] = opposite;
    waiting.weight[lane] = weight;
    if (waiting.count == 8) together(waiting, pairs);
}

void Desk::finish(int worker) {
    worker_ = worker;
    for (auto& [key, waiting] : waiting_)
        if (waiting.count > 0) together(waiting, std::get<0>(key));
}

void Desk::together(Waiting& waiting, int pairs) {
    find_bottom_sources(waiting);
    if (most_ < u64{1} << 32)
        work<Narrow8>(waiting, pairs);
    else
        work<Wide8>(waiting, pairs);
    waiting.count = 0;
}

void Desk::find_bottom_sources(const Waiting& waiting) {
    most_ = 0;
    for (std::size_t l = 0; l < static_cast<std::size_t>(waiting.count); ++l)
        most_ = std::max(most_, find_sources(m_.bottom, waiting.opposite[l], bottom_[l]));
}

template <class V> void Desk::work(const Waiting& waiting, int pairs) {
    const V* const b = turned<V>(extended<V>(waiting, pairs), waiting.opposite[0], pairs);
    V* const closed = placed<V>(closed_, pairs);
    close_cycles(pairs, b, closed, lists_, m_.shop.transitions, std::get<Space<V>>(spaces_));
    closed[kMatchings[static_cast<std::size_t>(pairs)]] = V{}; // what an edge has closed already
    const V* mirrored = nullptr;
    for (std::size_t t = 0; t < m_.tops.size(); ++t) {
        std::array<u64, 8> bounds{};
        for (std::size_t l = 0; l < static_cast<std::size_t>(waiting.count); ++l)
            bounds[l] = find_sources(*m_.tops[t], waiting.pattern[l], top_[l]);
        for (std::size_t l = 0; l < static_cast<std::size_t>(waiting.count); ++l) {
            const auto& sources = top_[l];
            if (mirrored == nullptr && std::any_of(sources.begin(), sources.end(),
                                                   [](const Source& source) { return source.mirrored; }))
                mirrored = seen_in_mirror(closed, waiting.pattern[0], pairs);
            const auto total = std::bit_width(bounds[l]) + std::bit_width(most_) > 64
                                   ? &Desk::weighed<V, u128>
                                   : &Desk::weighed<V, u64>;
            add(met.totals[t], (this->*total)(sources, closed, mirrored, static_cast<int>(l)),
                waiting.weight[l]);
        }
    }
}

// Room for a value per matching and one more.
template <class V> V* Desk::placed(std::vector<u64>& memory, int pairs) {
    const std::size_t words =
        (kMatchings[static_cast<std::size_t>(pairs)] + 1) * (sizeof(V) / sizeof(u64)) + 8;
    if (memory.size() < words) {
        reserved_.add(8 * (words - memory.size()));
        memory.resize(words);
    }
    // Vectors of 64 bytes want their alignment.
    const auto at = reinterpret_cast<std::uintptr_t>(memory.data());
    return reinterpret_cast<V*>((at + 63) / 64 * 64);
}

template <class V> V* Desk::cleared(std::vector<u64>& memory, int pairs) {
    V* const sums = placed<V>(memory, pairs);
    std::fill(sums, sums + kMatchings[static_cast<std::size_t>(pairs)], V{});
    return sums;
}

// visit(r, then) for all ranks r: then() is the rank after the symmetry. `used` ranks matter.
template <class Visit>
void Desk::each_permuted(const FieldPermutation& symmetry, u64 ends, int pairs, u64 used, Visit&& visit) {
    (void)symmetry.ends_to(ends, to_);
    const RankMap map = cache_.map(m_.shop.transitions, pairs, to_, used);
    with_map(map, pairs, [&](auto then) {
        for (u64 r = 0; r < kMatchings[static_cast<std::size_t>(pairs)]; ++r) visit(r, then);
    });
}

// sums[rank after the symmetry] += image[rank].
template <class V>
void Desk::add_permuted(const FieldPermutation& symmetry, u64 ends, int pairs, const V* image, V* sums) {
    u64 used = kMatchings[static_cast<std::size_t>(pairs)];
    used -= static_cast<u64>(std::count_if(image, image + used, [](const V& v) { return is_zero(v); }));
    each_permuted(symmetry, ends, pairs, used, [&](u64 r, auto then) {
        if (!is_zero(image[r])) sums[then(r)] += image[r]; // large groups are thin
    });
}

// The bottom's extended groups of all lanes, added up.
template <class V> V* Desk::extended(const Waiting& waiting, int pairs) {
    V* const own = cleared<V>(own_, pairs);
    V* image = nullptr;
    for (std::size_t l = 0; l < static_cast<std::size_t>(waiting.count); ++l)
        for (const Source& source : bottom_[l]) {
            if (source.mirrored && image == nullptr) image = cleared<V>(image_, pairs);
            AddTo<Number<V>, kStride<V>> sink{numbers(source.mirrored ? image : own) + l};
            extend(source, m_.shop.transitions, m_.shop.ends, sink);
            met.extended += source.group->count;
        }
    if (image != nullptr) {
        const FieldPermutation& mirror = m_.bottom.half().mirror;
        // What was added up belongs to the mirror pattern, which the mirror takes back.
        add_permuted(mirror, m_.shop.ends(mirror(waiting.opposite[0])), pairs, image, own);
    }
    return own;
}

// The bottom's sums in the order of the top's ends.
template <class V> const V* Desk::turned(V* sums, u64 opposite, int pairs) {
    if (m_.flip == nullptr) return sums;
    V* const turned = cleared<V>(turned_, pairs);
    add_permuted(*m_.flip, m_.shop.ends(opposite), pairs, sums, turned);
    return turned;
}

// The values for matchings of the mirror pattern, for entries that belong there.
template <class V> const V* Desk::seen_in_mirror(const V* closed, u64 pattern, int pairs) {
    V* const mirrored = placed<V>(mirrored_, pairs);
    const u64 many = kMatchings[static_cast<std::size_t>(pairs)];
    each_permuted(*mirror_, m_.shop.ends((*mirror_)(pattern)), pairs, many,
                  [&](u64 r, auto then) { mirrored[r] = closed[then(r)]; });
    mirrored[many] = V{};
    return mirrored;
}

template <class V, class Total>
u128 Desk::weighed(const std::vector<Source>& sources, const V* closed, const V* mirrored, int lane) {
    Weigh<Number<V>, kStride<V>, Total> own{numbers(closed) + lane}, image{numbers(mirrored) + lane};
    for (const Source& source : sources) {
        extend(source, m_.shop.transitions, m_.shop.ends, source.mirrored ? image : own);
        met.extended += source.group->count;
    }
    return static_cast<u128>(own.total) + image.total;
}

void Desk::add(u128& total, u128 value, u64 weight) {
    if (m_.shop.modulus != 0) {
        total = (total + value % m_.shop.modulus * weight) % m_.shop.modulus;
        return;
    }
    u128 product;
    met.overflow = met.overflow || __builtin_mul_overflow(value, static_cast<u128>(weight), &product) ||
                   __builtin_add_overflow(total, product, &total);
}

} // namespace ktsolve::join
