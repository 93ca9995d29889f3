// What all steps of a join work with, and how they are run by threads.
#pragma once

#include <deque>
#include <new>

#include "join/accumulator.hpp"
#include "join/workers.hpp"

namespace ktsolve::join {

struct Workshop {
    ChunkPool& pool;
    Transitions& transitions;
    Workers& workers;
    EndsOf ends;
    u64 modulus;
    std::deque<Accumulator> accumulators; // one per worker
    u64 transitions_done = 0;

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
            collect(); // so that the chunks go back
            throw;
        }
        collect();
        return layer;
    }
};

// Bounds a sum of groups; past 63 bits the counts are no longer safe.
inline void add_bound(u64& sum, const Group& group) {
    sum += u64{1} << group.sum_bits();
    if (sum >> 63 != 0) throw CountTooWide{};
}

// Does the work; returns how it ended.
template <class Work> Status ending_of(Work&& work) {
    try {
        work();
    } catch (const Stopped& stopped) {
        return stopped.status;
    } catch (const OutOfMemory&) {
        return Status::out_of_memory;
    } catch (const std::bad_alloc&) {
        return Status::out_of_memory;
    }
    return Status::done;
}

} // namespace ktsolve::join
