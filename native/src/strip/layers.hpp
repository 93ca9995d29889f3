// The compiled transfer of a column of a strip: see ktsolve/strip/strip.hpp.
#pragma once

#include <functional>
#include <vector>

#include "common/integers.hpp"
#include "common/stopped.hpp"
#include "ktsolve/strip/strip.hpp"

namespace ktsolve {

// Lists of numbers, one after the other: list i is to[first[i]] .. to[first[i + 1] - 1].
struct Lists {
    std::vector<u64> first{0};
    std::vector<u32> to;

    std::size_t size() const { return first.size() - 1; }
    const u32* begin(std::size_t i) const { return to.data() + first[i]; }
    const u32* end(std::size_t i) const { return to.data() + first[i + 1]; }
    void close() { first.push_back(to.size()); }
    u64 bytes() const { return first.capacity() * sizeof(u64) + to.capacity() * sizeof(u32); }
};

// A column in layers: layer i has the states before its vertex i, and after the last layer comes the first
// one again, a column further on. A number occurs in a list as often as its multiplicity says.
struct StripTransfer::Layers {
    std::vector<Lists> next; // of each state of layer i, its successors in the layer after it
    std::vector<u64> end;    // of each state of layer 0, the ways to complete it in the last columns
    u32 start = 0;           // the state of layer 0 from which all come

    std::size_t after(std::size_t layer) const { return layer + 1 == next.size() ? 0 : layer + 1; }
    u64 transitions() const {
        u64 sum = 0;
        for (const Lists& lists : next) sum += lists.to.size();
        return sum;
    }
    u64 bytes() const {
        u64 sum = end.capacity() * sizeof(u64);
        for (const Lists& lists : next) sum += lists.bytes();
        return sum;
    }
};

// Bytes that may be held and are, and what is called every thousand states or so; both throw Stopped.
struct StripWork {
    u64 bytes;
    std::function<void(u64 states)> poll;
    u64 peak = 0;

    void holds(u64 now) {
        if (now > peak) peak = now;
        if (now > bytes) throw Stopped{Status::out_of_memory};
    }
};

// All states that can be reached, with their successors. Throws Stopped, std::length_error.
StripTransfer::Layers compiled_strip(const Strip& strip, StripWork& work);

// Without the states from which no cycle can be completed.
StripTransfer::Layers trimmed(const StripTransfer::Layers& layers, StripWork& work);

// Backwards: layer i is layer m - i, and its lists are the predecessors.
StripTransfer::Layers turned(const StripTransfer::Layers& layers, StripWork& work);

// What the states of a lump have in common besides their lists.
enum class Alike { end, start };

// States whose lists agree, lump by lump, as one state: the coarsest such lumps. Those of Alike::end have
// equal ends, and their counts are added; those of Alike::start have equal counts, and their ends are added.
StripTransfer::Layers lumped(const StripTransfer::Layers& layers, Alike alike, StripWork& work);

} // namespace ktsolve
