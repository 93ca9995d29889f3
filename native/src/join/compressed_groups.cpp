// Writes segments in few bits and reads them: ranks as differences, counts of equal width.
#include "join/compressed_groups.hpp"

#include <bit>

#include "ktsolve/common/checked_bytes.hpp"

namespace ktsolve::join {

namespace {

constexpr u64 kBlock = 64;
constexpr int kAtOnce = 56; // bits that can be read and written together, wherever they begin in a byte

class BitsOut {
  public:
    // `bits` below 64, the value below 2^bits.
    void put(u64 value, int bits) {
        if (bits > kAtOnce) {
            put(value & 0xFFFFFFFF, 32);
            put(value >> 32, bits - 32);
            return;
        }
        if (at_ / 8 + 8 > bytes_.size()) bytes_.resize(bytes_.size() + bytes_.size() / 2 + 4096);
        u8* const to = bytes_.data() + at_ / 8;
        const u64 word = load8(to) | (value << (at_ % 8));
        std::memcpy(to, &word, 8);
        at_ += static_cast<u64>(bits);
    }
    void put_number(u64 value) {
        const int bits = static_cast<int>(std::bit_width(value));
        put(static_cast<u64>(bits), 6);
        put(value, bits);
    }
    std::vector<u8> take() {
        bytes_.resize((at_ + 7) / 8 + ChunkPool::kSlack);
        return std::move(bytes_);
    }

  private:
    std::vector<u8> bytes_;
    u64 at_ = 0;
};

class BitsIn {
  public:
    BitsIn(const u8* bytes, u64 size) : bytes_(bytes), end_(8 * size) {}
    u64 get(int bits) {
        if (static_cast<u64>(bits) > left()) throw DamagedBytes();
        if (bits > kAtOnce) {
            const u64 low = get(32);
            return low | (get(bits - 32) << 32);
        }
        const u64 word = load8(bytes_ + at_ / 8) >> (at_ % 8);
        at_ += static_cast<u64>(bits);
        return word & ((u64{1} << bits) - 1);
    }
    u64 get_number() { return get(static_cast<int>(get(6))); }
    u64 left() const { return end_ - at_; }

  private:
    const u8* bytes_;
    u64 end_, at_ = 0;
};

// The entries of a block, as they are written: ranks less the least that they can be, and counts.
struct BlockEntries {
    std::array<u64, kBlock> steps, counts;
    int step_bits, count_bits;
};

void put_block(const BlockEntries& block, u64 entries, BitsOut& out) {
    const int bits = block.step_bits + block.count_bits;
    out.put(static_cast<u64>(block.step_bits), 6);
    out.put(static_cast<u64>(block.count_bits), 6);
    for (u64 n = 0; n < entries; ++n) {
        if (bits <= kAtOnce) {
            out.put(block.steps[n] | (block.counts[n] << block.step_bits), bits);
        } else {
            out.put(block.steps[n], block.step_bits);
            out.put(block.counts[n], block.count_bits);
        }
    }
}

// Six bits, and seven more from 63 on.
void put_sum_bits(int sum_bits, BitsOut& out) {
    const int first = std::min(sum_bits, 63);
    out.put(static_cast<u64>(first), 6);
    if (first == 63) out.put(static_cast<u64>(sum_bits - first), 7);
}
int get_sum_bits(BitsIn& in) {
    const int first = static_cast<int>(in.get(6));
    const int sum_bits = first < 63 ? first : first + static_cast<int>(in.get(7));
    if (sum_bits > 127) throw DamagedBytes();
    return sum_bits;
}

// Reads the entries of a group one by one.
class EntriesIn {
  public:
    EntriesIn(BitsIn& in, int pairs, int width, int sum_bits)
        : in_(&in), ranks_(kMatchings[static_cast<std::size_t>(pairs)]), sum_bits_(sum_bits),
          most_count_bits_(std::min(63, 8 * width - kRankBits[static_cast<std::size_t>(pairs)])) {}

    std::pair<u64, u64> next() {
        if (of_block_ == 0) begin_block();
        --of_block_;
        u64 step = 0, count = 0;
        if (step_bits_ + count_bits_ <= kAtOnce) {
            const u64 both = in_->get(step_bits_ + count_bits_);
            step = both & ((u64{1} << step_bits_) - 1);
            count = both >> step_bits_;
        } else {
            step = in_->get(step_bits_);
            count = in_->get(count_bits_);
        }
        const u64 rank = next_ + step;
        next_ = rank + 1;
        sum_ += count;
        none_ |= count == 0;
        return {rank, count};
    }
    // Whether what was read can be the entries of a group.
    bool sound() const { return next_ <= ranks_ && !none_ && sum_ >> sum_bits_ == 0; }

  private:
    void begin_block() {
        of_block_ = kBlock;
        step_bits_ = static_cast<int>(in_->get(6));
        count_bits_ = static_cast<int>(in_->get(6));
        // The ranks so far are checked here, so that they cannot pass 64 bits.
        if (next_ > ranks_ || step_bits_ > static_cast<int>(std::bit_width(ranks_)) || count_bits_ == 0 ||
            count_bits_ > most_count_bits_)
            throw DamagedBytes();
    }

    BitsIn* in_;
    u64 ranks_, of_block_ = 0, next_ = 0;
    u128 sum_ = 0;
    int sum_bits_, most_count_bits_, step_bits_ = 0, count_bits_ = 0;
    bool none_ = false;
};

} // namespace

std::vector<u8> compressed(const Segment& segment, const EndsOf& ends) {
    BitsOut out;
    u64 before = 0;
    BlockEntries block;
    for (const Group& group : segment) {
        out.put_number(group.pattern - before);
        before = group.pattern;
        out.put_number(group.count());
        out.put(static_cast<u64>(group.width()), 4);
        put_sum_bits(group.sum_bits(), out);
        const int pairs = pairs_of(ends(group.pattern));
        u64 in_block = 0, next = 0, steps = 0, counts = 0; // of the block: bits of any
        const auto put = [&] {
            block.step_bits = static_cast<int>(std::bit_width(steps));
            block.count_bits = static_cast<int>(std::bit_width(counts));
            put_block(block, in_block, out);
            in_block = steps = counts = 0;
        };
        for_each_entry(segment.entries(group), group.count(), group.width(), pairs, [&](u64 rank, u64 count) {
            steps |= block.steps[in_block] = rank - next;
            counts |= block.counts[in_block] = count;
            next = rank + 1;
            if (++in_block == kBlock) put();
        });
        if (in_block > 0) put();
    }
    return out.take();
}

void decompress(const u8* stream, u64 bytes, u64 groups, const EndsOf& ends_of, Writer& writer) {
    BitsIn in(stream, bytes);
    u64 pattern = 0;
    for (u64 g = 0; g < groups; ++g) {
        const u64 step = in.get_number();
        pattern += step;
        const u64 count = in.get_number(), ends = ends_of(pattern);
        const int width = static_cast<int>(in.get(4)), sum_bits = get_sum_bits(in);
        if ((g > 0 && step == 0) || pattern >> 63 != 0 || std::popcount(ends) % 2 != 0 ||
            pairs_of(ends) > kMostPairs || width == 0 || count == 0 || count > in.left() || count >> 32 != 0)
            throw DamagedBytes();
        const int pairs = pairs_of(ends);
        if (width > entry_width(pairs, 63)) throw DamagedBytes();
        EntriesIn entries(in, pairs, width, sum_bits);
        store_entries(writer.append(pattern, count, width, sum_bits), count, width, pairs,
                      [&](u64) { return entries.next(); });
        if (!entries.sound()) throw DamagedBytes();
    }
    if (in.left() >= 8) throw DamagedBytes();
}

} // namespace ktsolve::join
