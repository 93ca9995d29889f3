// What all steps of a sweep and of a join share: memory, tables, threads, accumulators.
#pragma once

#include <deque>
#include <stdexcept>

#include "common/workers.hpp"
#include "join/accumulator.hpp"

namespace ktsolve::join {

struct Context {
    ChunkPool& pool;
    Transitions& transitions;
    Workers& workers;
    EndsOf ends;
    u64 modulus;
    std::deque<Accumulator> accumulators; // one per worker
    u64 transitions_done = 0;
    u64 disk_left = ~u64{0}; // bytes that files may still take
    bool wide_sums = false;  // the counts of a group may have a sum of more than 63 bits

    // A layer whose parts are written by task(worker, number, writer) for all numbers below `parts`.
    template <class Task> Layer build_layer(u64 parts, Task&& task) {
        std::vector<std::vector<Segment>> results(parts);
        Layer layer(pool);
        const auto collect = [&] {
            for (auto& segments : results) layer.append(std::move(segments));
        };
        try {
            workers.run(parts, [&](int worker, u64 number) {
                Writer writer(pool);
                task(worker, number, writer);
                results[number] = writer.finish();
            });
        } catch (...) {
            collect(); // the layer's destructor returns the chunks to the pool
            throw;
        }
        collect();
        return layer;
    }
};

inline void check_modulus(u64 modulus) {
    if (modulus >> 40 != 0 || modulus == 1)
        throw std::invalid_argument("the modulus must be from 2 to 2^40 - 1, or 0 for none");
}

// Bounds a sum of groups, up to kWideSum where wide sums are allowed.
inline void add_bound(u64& sum, const Group& group, const Context& context) {
    sum = bound_with(sum, group.sum_bits());
    if (sum == kWideSum && !context.wide_sums) throw CountTooWide{};
}

} // namespace ktsolve::join
