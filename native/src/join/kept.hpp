// Layers of a half that are kept, so that paths can be followed back through them.
//
//     steps[s]    what step s does: its edge choices, and the edges of the graph that they are made of
//     layers[s]   the states before step s; layers[n], after the last of n steps, is the half table
//
// A layer may be missing (`kept()` is false): memory did not suffice. Layer 0 and layer n never are.
//
// Forwards: for each group of layers[s].segments() and each choice of steps[s] that applies() to its pattern,
// the new pattern is pattern + choice.delta, and entry ranks pass through map_of_run (rank_map.hpp). All
// layers are unfolded: each count is the number of ways to reach the state. Backwards: predecessors.hpp.
//
// A layer lies in memory or in a mapped file, where bytes are checked when they are first read. A file may
// hold anything, with the right checksums: places are checked when they are used, and so are ranks that lead
// into tables.
#pragma once

#include <memory>
#include <optional>

#include "join/context.hpp"
#include "join/half_steps.hpp"
#include "join/index.hpp"
#include "join/mapped_file.hpp"
#include "ktsolve/common/checked_bytes.hpp"
#include "ktsolve/join/count.hpp"

namespace ktsolve::join {

// Where a segment lies among the packed bytes of a layer. Headers and entries have no gap between them there.
struct Block {
    u64 offset, bytes, groups, states;
    u64 last; // pattern of the last group
};

class KeptLayer {
  public:
    KeptLayer() = default; // missing
    explicit KeptLayer(Layer&& layer) : layer_(std::move(layer)) {}
    // Packed bytes, which belong to something that outlives this. Throws DamagedBytes for blocks outside
    // them.
    KeptLayer(ChunkPool& pool, CheckedBytes&& bytes, const std::vector<Block>& blocks);
    KeptLayer(ChunkPool& pool, std::unique_ptr<MappedFile> file, const std::vector<Block>& blocks)
        : KeptLayer(pool, CheckedBytes(file->data(), file->bytes(), nullptr), blocks) {
        file_ = std::move(file);
    }

    bool kept() const { return layer_.has_value(); }
    const Layer& layer() const { return *layer_; }
    const std::vector<Segment>& segments() const { return layer_->segments(); }
    u64 bytes() const { return layer_ ? layer_->bytes() : 0; }

    // The group of a pattern; null entries if it does not exist. Throws DamagedBytes.
    GroupRef find(u64 pattern) const;
    // The same, for reading all its entries: those of a file are checked.
    GroupRef find_whole(u64 pattern, const EndsOf& ends) const;
    // Reads and checks all bytes.
    void check(Workers& workers) const;
    // Checks all groups and entries too, of patterns with numbers.
    void check(Workers& workers, const Numbering& numbering, const EndsOf& ends) const;

  private:
    void check(std::size_t segment, const Group& group) const;

    std::optional<Layer> layer_;
    std::vector<u64> offsets_; // of the segments, among packed bytes
    std::optional<CheckedBytes> bytes_;
    std::unique_ptr<MappedFile> file_;
};

struct KeptHalf {
    std::vector<HalfStep> steps;
    std::vector<KeptLayer> layers;
};

// Which layers are kept. When memory runs out, every second of those still kept is dropped, and so on up to
// every fourth; small ones stay. Answers do not depend on it.
class Keeper {
  public:
    // Layers are written to files in the folder and mapped, if one is given. Of small and large layers alike
    // only every `gap`th is kept, if that is more than 1.
    explicit Keeper(std::string folder, std::size_t gap = 1)
        : folder_(std::move(folder)), gap_(gap), small_(gap > 1 ? 0 : u64{1} << 20) {}
    void add(KeptHalf& half) { halves_.push_back(&half); }
    // Does the work; each time that memory runs out, drops layers and does it again. Throws Stopped.
    template <class Work> void with_memory(ChunkPool& pool, Work&& work) {
        bool first = true;
        // Free chunks are held too; what is not a chunk can use their memory only when it is returned.
        const auto made_room = [&] {
            if (pool.trim() && std::exchange(first, false)) return true;
            const bool dropped = thin();
            (void)pool.trim();
            return dropped;
        };
        while (true) {
            try {
                work();
                return;
            } catch (const Stopped& stopped) {
                if (stopped.status != Status::out_of_memory || !made_room()) throw;
            } catch (const std::bad_alloc&) {
                if (!made_room()) throw;
            }
        }
    }
    // To be called when a layer has a successor.
    void settle(KeptHalf& half, std::size_t number, Context& context) const;

  private:
    bool wanted(const KeptHalf& half, std::size_t number) const;
    bool thin();

    std::string folder_;
    std::size_t gap_;
    u64 small_; // bytes of a layer that is not dropped
    std::vector<KeptHalf*> halves_;
};

// Sweeps a half, without folding, and keeps its layers in `half`, which the keeper knows.
void keep_half(const HalfTask& task, Context& context, Keeper& keeper, KeptHalf& half,
               std::vector<LayerReport>& log);

// Whether a group of this pattern may have these entries: ranks of its matchings in ascending order, counts
// that add up to no more than the group's bound.
bool sound(const GroupRef& group, u64 pattern, const EndsOf& ends);

// Where the segments lie when they are packed, and the bytes of one of them.
std::vector<Block> blocks_of(const std::vector<Segment>& segments);
void pack(const Segment& segment, const Block& block, u8* to);

} // namespace ktsolve::join
