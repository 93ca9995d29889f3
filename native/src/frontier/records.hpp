// Reads and writes the records of a layer: see ktsolve/frontier/diagram.hpp.
#pragma once

#include <cstring>

#include "common/integers.hpp"
#include "ktsolve/frontier/diagram.hpp"

namespace ktsolve::frontier {

// A link in parts.
struct Link {
    u64 target;
    u32 choice;
    bool last;
};

// The records of a layer. Every access is checked: a file may hold anything.
class Records {
  public:
    // `targets` is the number of records of the next layer.
    Records(const DiagramLayer& layer, u64 targets, std::size_t choices)
        : layer_(layer), size_(layer.record_bytes()), targets_(targets), choices_(choices),
          link_mask_(mask(layer.link_bytes)) {}

    u64 number() const { return layer_.records; }
    bool closes(const Link& link) const { return link.target == targets_; }

    Link link(u64 record) const {
        const u64 word = word_at(record, static_cast<std::size_t>(layer_.count_bytes)) & link_mask_;
        const Link found{word >> (layer_.choice_bits + 1),
                         static_cast<u32>((word >> 1) & ((u64{1} << layer_.choice_bits) - 1)),
                         (word & 1) != 0};
        if (found.target > targets_ || found.choice >= choices_) throw DamagedBytes();
        return found;
    }

    // Writes the number of cycles before a record to `limbs` limbs.
    void before(u64 record, u64* to, int limbs) const {
        to[0] = word_at(record, 0) & mask(layer_.count_bytes);
        for (int i = 1; i < limbs; ++i)
            to[i] = layer_.count_bytes > 8 * i
                        ? word_at(record, 8 * static_cast<std::size_t>(i)) & mask(layer_.count_bytes - 8 * i)
                        : 0;
    }

  private:
    static u64 mask(int bytes) { return bytes >= 8 ? ~u64{0} : bytes <= 0 ? 0 : (u64{1} << (8 * bytes)) - 1; }
    u64 word_at(u64 record, std::size_t offset) const {
        if (record >= layer_.records) throw DamagedBytes();
        u64 word;
        std::memcpy(&word, layer_.bytes.read(static_cast<std::size_t>(record) * size_ + offset, 8), 8);
        return word;
    }

    const DiagramLayer& layer_;
    std::size_t size_;
    u64 targets_;
    std::size_t choices_;
    u64 link_mask_;
};

// Number of records of the layer after layer `s`.
inline u64 records_after(const FrontierDiagram& diagram, std::size_t s) {
    return s + 1 < diagram.layers.size() ? diagram.layers[s + 1].records : 0;
}

} // namespace ktsolve::frontier
