// See join/spill.hpp.
#include "join/spill.hpp"

#include <algorithm>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>

#include "common/files.hpp"
#include "join/kept.hpp"

namespace ktsolve::join {

namespace {

constexpr u64 kMagic = 0x335245594C544Bull; // "KTLYER3" backwards; byte order included
constexpr u64 kTogether = task_size(64);    // segments that one thread writes or reads one after the other

// | Header | SegmentHeader | ... | packed segments (kept.hpp) |
struct Header {
    u64 magic = kMagic, segments = 0, folded = 0, checksum = 0; // of the headers of segments
};
struct SegmentHeader {
    u64 bytes, groups, states, last, checksum;
};

u64 first_byte(u64 segments) {
    return sizeof(Header) + segments * sizeof(SegmentHeader);
}

[[noreturn]] void fail(const std::string& path, const std::string& what) {
    throw SpillFailed(path + ": " + what);
}

u64 mixed(u64 sum, const void* data, u64 bytes) {
    const auto* at = static_cast<const u8*>(data);
    u64 lanes[4] = {sum, sum ^ 1, sum ^ 2, sum ^ 3};
    u64 n = 0;
    for (; n + 32 <= bytes; n += 32)
        for (u64 l = 0; l < 4; ++l)
            lanes[l] = (std::rotl(lanes[l], 23) ^ load8(at + n + 8 * l)) * 0x9E3779B97F4A7C15ull;
    for (; n < bytes; ++n) lanes[0] = (std::rotl(lanes[0], 23) ^ at[n]) * 0x9E3779B97F4A7C15ull;
    return (lanes[0] ^ std::rotl(lanes[1], 17)) + (lanes[2] ^ std::rotl(lanes[3], 41)) + bytes;
}

u64 checksum_of(const SegmentHeader& segment, const void* packed) {
    return mixed(mixed(0, &segment, offsetof(SegmentHeader, checksum)), packed, segment.bytes);
}
u64 checksum_of(const std::vector<SegmentHeader>& segments) {
    return mixed(0, segments.data(), segments.size() * sizeof(SegmentHeader));
}

// work(file, n) for every n below `many`, on all threads, each with a file of its own that `open` gives and
// that is at byte `place(n)` when n is the first of several.
template <class Open, class Place, class Work>
void in_file(const std::string& path, u64 many, Workers& workers, Open&& open, Place&& place, Work&& work) {
    std::vector<File> files(static_cast<std::size_t>(workers.threads()));
    workers.run((many + kTogether - 1) / kTogether, [&](int worker, u64 task) {
        File& file = files[static_cast<std::size_t>(worker)];
        if (!file) file = open(path);
        const u64 first = task * kTogether;
        if (!file || !go_to(file.get(), place(first))) fail(path, std::strerror(errno));
        for (u64 n = first; n < std::min(many, first + kTogether); ++n) work(file.get(), n);
        workers.tick(worker);
    });
    for (const File& file : files)
        if (file && std::fflush(file.get()) != 0) fail(path, std::strerror(errno));
}

} // namespace

void save_layer(const std::string& path, const Layer& layer, bool folded, Workers& workers) {
    // Two processes may make the same table at the same time.
    const std::string partial = path + ".partial-" + process_number();
    struct Unfinished { // goes again unless it was renamed
        const std::string& name;
        ~Unfinished() { remove_file(name); }
    } const unfinished{partial};
    const auto put = [&](std::FILE* file, const void* data, u64 bytes) {
        if (bytes > 0 && std::fwrite(data, 1, bytes, file) != bytes) fail(partial, std::strerror(errno));
    };
    const std::vector<Block> blocks = blocks_of(layer.segments());
    std::vector<SegmentHeader> segments(blocks.size());
    Header header;
    header.segments = blocks.size();
    header.folded = folded;
    if (!open_to_write(partial)) fail(partial, std::strerror(errno));
    const u64 start = first_byte(blocks.size());
    in_file(
        partial, blocks.size(), workers, open_to_change, [&](u64 n) { return start + blocks[n].offset; },
        [&](std::FILE* file, u64 n) {
            const Block& block = blocks[n];
            std::vector<u8> packed(block.bytes);
            pack(layer.segments()[n], block, packed.data());
            segments[n] = {block.bytes, block.groups, block.states, block.last, 0};
            segments[n].checksum = checksum_of(segments[n], packed.data());
            put(file, packed.data(), block.bytes);
        });
    header.checksum = checksum_of(segments);
    {
        const File file = open_to_change(partial);
        if (!file) fail(partial, std::strerror(errno));
        put(file.get(), &header, sizeof header);
        put(file.get(), segments.data(), segments.size() * sizeof(SegmentHeader));
        if (std::fflush(file.get()) != 0) fail(partial, std::strerror(errno));
    }
    if (const std::error_code error = rename_file(partial, path)) fail(path, error.message());
}

bool load_layer(const std::string& path, Layer& layer, bool& folded, Workers& workers) {
    Header header;
    std::vector<SegmentHeader> sizes;
    const auto get = [&](std::FILE* file, void* data, u64 bytes) {
        if (bytes > 0 && std::fread(data, 1, bytes, file) != bytes)
            fail(path, "is cut short; remove it and it will be made again");
    };
    const auto damaged = [&] { fail(path, "is damaged; remove it and it will be made again"); };
    {
        const File file = open_to_read(path);
        if (!file) {
            if (errno == ENOENT) return false;
            fail(path, std::strerror(errno));
        }
        get(file.get(), &header, sizeof header);
        if (header.magic != kMagic) fail(path, "is no half table; remove it");
        for (u64 i = 0; i < header.segments; ++i) { // with a wrong number this ends with the file
            SegmentHeader s;
            get(file.get(), &s, sizeof s);
            sizes.push_back(s);
        }
    }
    // Sizes are used only if they add up to that of the file.
    std::vector<u64> places;
    u64 expected = first_byte(sizes.size());
    for (const SegmentHeader& s : sizes) {
        if (s.groups == 0 || s.groups > s.bytes / sizeof(Group) || s.bytes >> 40 != 0) damaged();
        places.push_back(expected);
        expected += s.bytes;
    }
    if (file_bytes(path) != expected || checksum_of(sizes) != header.checksum) damaged();
    layer.clear();
    std::vector<Segment> segments(sizes.size());
    const auto hand_over = [&] { // so that the chunks are returned if reading fails
        std::erase_if(segments, [](const Segment& segment) { return segment.chunk == nullptr; });
        layer.append(std::move(segments));
    };
    try {
        in_file(
            path, sizes.size(), workers, open_to_read, [&](u64 n) { return places[n]; },
            [&](std::FILE* file, u64 n) {
                const SegmentHeader& s = sizes[n];
                const u64 bytes = std::max(s.bytes, ChunkPool::kChunk);
                Segment& segment = segments[n];
                segment.chunk = layer.pool().take(bytes);
                segment.bytes = bytes;
                segment.groups = static_cast<u32>(s.groups);
                segment.states = s.states;
                segment.last = s.last;
                get(file, segment.chunk, s.bytes);
                if (checksum_of(s, segment.chunk) != s.checksum) damaged();
            });
    } catch (...) {
        hand_over();
        throw;
    }
    hand_over();
    folded = header.folded != 0;
    return true;
}

} // namespace ktsolve::join
