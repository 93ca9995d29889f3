// See join/spill.hpp.
#include "join/spill.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "common/files.hpp"

namespace ktsolve::join {

namespace {

constexpr u64 kMagic = 0x325245594C544Bull; // "KTLYER2" backwards; byte order included

struct Header {
    u64 magic = kMagic, segments = 0, folded = 0, checksum = 0;
};
struct SegmentHeader {
    u64 bytes, groups, states, last;
};

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

} // namespace

void save_layer(const std::string& path, const Layer& layer, bool folded, Workers& workers) {
    // Two processes may make the same table at the same time.
    const std::string partial = path + ".partial-" + process_number();
    struct Unfinished { // goes again unless it was renamed
        const std::string& name;
        ~Unfinished() { remove_file(name); }
    } const unfinished{partial};
    {
        const File file = open_to_write(partial);
        if (!file) fail(partial, std::strerror(errno));
        const auto put = [&](const void* data, u64 bytes) {
            if (std::fwrite(data, 1, bytes, file.get()) != bytes) fail(partial, std::strerror(errno));
        };
        Header header;
        header.segments = layer.segments().size();
        header.folded = folded;
        for (const Segment& segment : layer.segments()) {
            const SegmentHeader s{segment.bytes, segment.groups, segment.states, segment.last};
            header.checksum = mixed(mixed(header.checksum, &s, sizeof s), segment.chunk, segment.bytes);
            workers.poll();
        }
        put(&header, sizeof header);
        for (const Segment& segment : layer.segments()) {
            const SegmentHeader s{segment.bytes, segment.groups, segment.states, segment.last};
            put(&s, sizeof s);
        }
        for (const Segment& segment : layer.segments()) {
            put(segment.chunk, segment.bytes);
            workers.poll();
        }
        if (std::fflush(file.get()) != 0) fail(partial, std::strerror(errno));
    }
    if (const std::error_code error = rename_file(partial, path)) fail(path, error.message());
}

bool load_layer(const std::string& path, Layer& layer, bool& folded, Workers& workers) {
    const File file = open_to_read(path);
    if (!file) {
        if (errno == ENOENT) return false;
        fail(path, std::strerror(errno));
    }
    const auto get = [&](void* data, u64 bytes) {
        if (std::fread(data, 1, bytes, file.get()) != bytes)
            fail(path, "is cut short; remove it and it will be made again");
    };
    Header header;
    get(&header, sizeof header);
    if (header.magic != kMagic) fail(path, "is no half table; remove it");
    u64 checksum = 0;
    std::vector<SegmentHeader> sizes;
    for (u64 i = 0; i < header.segments; ++i) { // with a wrong number this ends with the file
        SegmentHeader s;
        get(&s, sizeof s);
        sizes.push_back(s);
    }
    // Sizes are used only if they add up to that of the file.
    u64 expected = sizeof header + sizes.size() * sizeof(SegmentHeader);
    bool sound = true;
    for (const SegmentHeader& s : sizes) {
        sound = sound && s.bytes >= ChunkPool::kChunk && s.groups > 0 &&
                s.groups <= s.bytes / sizeof(Group) && s.bytes < (u64{1} << 40);
        expected += s.bytes;
    }
    if (!sound || file_bytes(path) != expected) fail(path, "is damaged; remove it and it will be made again");
    layer.clear();
    for (const SegmentHeader& s : sizes) {
        Segment segment;
        segment.chunk = layer.pool().take(s.bytes);
        segment.bytes = s.bytes;
        segment.groups = static_cast<u32>(s.groups);
        segment.states = s.states;
        segment.last = s.last;
        std::vector<Segment> one{segment};
        layer.append(std::move(one)); // so that the chunk is returned if reading fails
        get(segment.chunk, s.bytes);
        checksum = mixed(mixed(checksum, &s, sizeof s), segment.chunk, s.bytes);
        workers.poll();
    }
    if (checksum != header.checksum) fail(path, "is damaged; remove it and it will be made again");
    folded = header.folded != 0;
    return true;
}

} // namespace ktsolve::join
