// Counts of strips of all lengths, or of one: repeated products with the transfer of a column. See
// ktsolve/strip/strip.hpp.
//
// Counts are rows of limbs, all of one length in a layer. Before a column the rows are made long enough for
// what the column can add, so that nothing overflows inside it. Rejected: residues modulo many primes, which
// need all primes from the first column on, while rows begin with one limb, and a bound on the counts first.
#include <algorithm>
#include <bit>
#include <cmath>
#include <optional>

#include "common/limbs.hpp"
#include "common/workers.hpp"
#include "strip/layers.hpp"

namespace ktsolve {

namespace {

using Layers = StripTransfer::Layers;

struct Counts {
    int limbs = 1;
    std::vector<u64> rows;
    std::vector<u8> some; // whether a row is not 0; a row that is 0 is not written

    std::size_t size() const { return some.size(); }
    const u64* row(std::size_t i) const { return rows.data() + i * static_cast<std::size_t>(limbs); }
    u64* row(std::size_t i) { return rows.data() + i * static_cast<std::size_t>(limbs); }
    u64 bytes() const { return rows.capacity() * sizeof(u64) + some.capacity(); }
    static u64 bytes_for(std::size_t size, int limbs) { return size * (8 * static_cast<u64>(limbs) + 1); }

    void widen(int wider) {
        std::vector<u64> made(size() * static_cast<std::size_t>(wider), 0);
        for (std::size_t i = 0; i < size(); ++i)
            std::copy(row(i), row(i) + limbs, made.data() + i * static_cast<std::size_t>(wider));
        rows.swap(made);
        limbs = wider;
    }
};

Counts counts_of(const std::vector<u64>& values) {
    Counts made;
    made.rows = values;
    for (const u64 value : values) made.some.push_back(value != 0);
    return made;
}

// The sum of some rows, limb by limb.
void add_rows(u64* to, const u64* const* from, int rows, int limbs) {
    if (rows == 1) {
        std::copy(from[0], from[0] + limbs, to);
        return;
    }
    u64 carry = 0;
    if (rows == 2) {
        const u64 *a = from[0], *b = from[1];
        for (int i = 0; i < limbs; ++i) {
            const u128 sum = u128{a[i]} + b[i] + carry;
            to[i] = static_cast<u64>(sum);
            carry = static_cast<u64>(sum >> 64);
        }
        return;
    }
    for (int i = 0; i < limbs; ++i) {
        u128 sum = carry;
        for (int r = 0; r < rows; ++r) sum += from[r][i];
        to[i] = static_cast<u64>(sum);
        carry = static_cast<u64>(sum >> 64);
    }
}

u64 what_is_left(u64 bytes, u64 held) {
    return bytes - std::min(bytes, held);
}

// The sum of the products of the rows of two layers.
Limbs dot(const Counts& a, const Counts& b, Workers& workers) {
    Limbs sum(static_cast<std::size_t>(a.limbs + b.limbs) + 2, 0); // less than 2^64 products
    for (std::size_t i = 0; i < a.size(); ++i) {
        if (i % 64 == 0) workers.poll();
        if (a.some[i] && b.some[i])
            add_product(sum.data(), static_cast<int>(sum.size()), a.row(i), a.limbs, b.row(i), b.limbs);
    }
    while (sum.size() > 1 && sum.back() == 0) sum.pop_back();
    return sum;
}

// What a sweep needs besides its layers: limits, and room for one layer.
class Columns {
  public:
    Columns(const Layers& layers, u64 bytes, Workers& workers)
        : layers_(layers), bytes_(bytes), workers_(workers) {
        for (const Lists& lists : layers.next) {
            u64 longest = 1;
            for (std::size_t n = 0; n < lists.size(); ++n)
                longest = std::max(longest, lists.first[n + 1] - lists.first[n]);
            margin_ += std::bit_width(longest);
        }
    }

    // One column: each state gets the sum over its list, layer by layer. Throws Stopped; `now` is unchanged
    // then.
    void pass(Counts& now) {
        make_room(now);
        Counts from;
        bool first = true;
        for (std::size_t i = layers_.next.size(); i-- > 0;) {
            const Counts& source = first ? now : from;
            Counts made = std::move(spare_);
            gather(layers_.next[i], source, made);
            spare_ = std::move(from);
            from = std::move(made);
            first = false;
        }
        std::swap(now, from);
        spare_ = std::move(from);
    }

  private:
    // Rows long enough that no sum of the next column overflows.
    void make_room(Counts& now) {
        u64 top = 0;
        for (std::size_t n = 0; n < now.size(); ++n)
            if (now.some[n]) top |= now.row(n)[now.limbs - 1];
        const int used = static_cast<int>(std::bit_width(top)) + margin_;
        if (used <= 64) return;
        const int wider = now.limbs + (used - 64 + 63) / 64;
        holds(now.bytes() + Counts::bytes_for(now.size(), wider));
        now.widen(wider);
    }

    void gather(const Lists& lists, const Counts& from, Counts& to) {
        to.limbs = from.limbs;
        holds(from.bytes() + Counts::bytes_for(lists.size(), to.limbs) * 2);
        to.some.assign(lists.size(), 0);
        to.rows.resize(lists.size() * static_cast<std::size_t>(to.limbs));
        const u64 work = lists.to.size() * static_cast<u64>(to.limbs);
        constexpr u64 kShare = task_size(1 << 17); // additions that are worth a thread
        const u64 tasks = std::clamp<u64>(work / kShare, 1, 4 * static_cast<u64>(workers_.threads()));
        const auto task = [&](u64 number) {
            const std::size_t begin = lists.size() * number / tasks,
                              end = lists.size() * (number + 1) / tasks;
            std::vector<const u64*> rows;
            for (std::size_t n = begin; n < end; ++n) {
                rows.clear();
                for (const u32* each = lists.begin(n); each != lists.end(n); ++each)
                    if (from.some[*each]) rows.push_back(from.row(*each));
                if (rows.empty()) continue;
                to.some[n] = 1;
                add_rows(to.row(n), rows.data(), static_cast<int>(rows.size()), to.limbs);
            }
        };
        if (tasks == 1) {
            task(0);
            workers_.poll();
        } else {
            workers_.run(tasks, [&](int, u64 number) { task(number); });
        }
    }

    void holds(u64 now) const {
        if (now + spare_.bytes() > bytes_) throw Stopped{Status::out_of_memory};
    }

    const Layers& layers_;
    u64 bytes_;
    Workers& workers_;
    Counts spare_;
    int margin_ = 0; // bits that a count may grow by in a column
};

} // namespace

struct StripTransfer::Row {
    Counts now;
    std::size_t columns; // passed so far
};

StripTransfer::StripTransfer(Strip strip) : strip_(std::move(strip)) {
    strip_.validate();
}
StripTransfer::~StripTransfer() = default;
StripTransfer::StripTransfer(StripTransfer&&) noexcept = default;
StripTransfer& StripTransfer::operator=(StripTransfer&&) noexcept = default;

Status StripTransfer::compile(const Limits& limits, Monitor* monitor) {
    Watch watch(limits, monitor);
    return status_of([&] {
        StripWork work{limits.bytes, [&](u64 states) { poll_or_throw(watch, Progress{0, 0, states}); }};
        StripSizes sizes;
        Layers layers = compiled_strip(strip_, work);
        // Each reduction makes a smaller copy; the peak is in the compiler, or with both copies here.
        const auto replace = [&](Layers made) {
            work.holds(layers.bytes() + made.bytes());
            layers = std::move(made);
        };
        replace(trimmed(layers, work));
        sizes.states = layers.end.size();
        sizes.transitions = layers.transitions();
        replace(lumped(layers, Alike::end, work));
        replace(turned(layers, work));
        replace(lumped(layers, Alike::start, work));
        sizes.dimension = layers.end.size();
        sizes.terms = layers.transitions();
        sizes.peak_bytes = work.peak;
        layers_ = std::make_unique<Layers>(std::move(layers));
        sizes_ = sizes;
    });
}

Status StripTransfer::extend(int lengths, int threads, const Limits& limits, Monitor* monitor) {
    Watch watch(limits, monitor);
    Workers workers(threads, watch);
    return status_of([&] {
        if (!row_) {
            std::vector<u64> start(layers_->end.size(), 0);
            start[layers_->start] = 1;
            row_ = std::make_unique<Row>(Row{counts_of(start), 0});
        }
        const Counts ends = counts_of(layers_->end);
        Columns columns(*layers_, what_is_left(limits.bytes, layers_->bytes() + ends.bytes()), workers);
        while (static_cast<int>(counts_.size()) < lengths) {
            workers.progress() = {counts_.size(), static_cast<u64>(lengths), ends.size()};
            for (; row_->columns < counts_.size(); ++row_->columns) columns.pass(row_->now);
            counts_.push_back(dot(row_->now, ends, workers));
        }
    });
}

Status StripTransfer::count(int length, int threads, const Limits& limits, Monitor* monitor, Limbs& found) {
    Watch watch(limits, monitor);
    Workers workers(threads, watch);
    return status_of([&] {
        const int columns = length - first();
        StripWork work{limits.bytes, [&](u64) { workers.poll(); }};
        std::vector<u64> start(layers_->end.size(), 0);
        start[layers_->start] = 1;
        Counts forward = counts_of(start), backward = counts_of(layers_->end);
        workers.progress() = {0, static_cast<u64>(columns), start.size()};
        {
            Columns half(*layers_, what_is_left(limits.bytes, layers_->bytes() + backward.bytes()), workers);
            for (int n = 0; n < columns / 2; ++n, ++workers.progress().step) half.pass(forward);
        }
        const Layers back = turned(*layers_, work);
        Columns half(back, what_is_left(limits.bytes, layers_->bytes() + back.bytes() + forward.bytes()),
                     workers);
        for (int n = columns / 2; n < columns; ++n, ++workers.progress().step) half.pass(backward);
        found = dot(forward, backward, workers);
    });
}

std::pair<double, double> StripTransfer::growth() const {
    // The counts of a layer add up to at most those some columns before, times the greatest count that one of
    // its states brings about in these columns. Each sum is rounded up.
    constexpr int kColumns = 64;
    constexpr double kUp = 1 + 1e-9;
    StripWork work{UINT64_MAX, [](u64) {}};
    const Layers back = turned(*layers_, work);
    std::vector<double> now(back.end.size(), 1.0);
    double bits = 0;
    for (int column = 0; column < kColumns; ++column) {
        for (std::size_t i = back.next.size(); i-- > 0;) {
            std::vector<double> made(back.next[i].size(), 0.0);
            for (std::size_t n = 0; n < made.size(); ++n) {
                for (const u32* to = back.next[i].begin(n); to != back.next[i].end(n); ++to)
                    made[n] += now[*to];
                made[n] *= kUp;
            }
            now = std::move(made);
        }
        double most = *std::max_element(now.begin(), now.end());
        if (most == 0) return {0.0, 0.0};
        const int shift = std::ilogb(most);
        for (double& each : now) each = std::ldexp(each, -shift);
        bits += shift;
    }
    bits += std::log2(*std::max_element(now.begin(), now.end())) + 1e-6;
    const u64 end = *std::max_element(back.end.begin(), back.end.end());
    return {std::log2(static_cast<double>(end) + 1) + std::max(bits, 0.0) + 1,
            std::max(bits, 0.0) / kColumns};
}

} // namespace ktsolve
