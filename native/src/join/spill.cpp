// Writes layers to disk and reads them back, with checksums.
#include "join/spill.hpp"

#include <algorithm>
#include <atomic>
#include <cerrno>
#include <cstddef>
#include <cstdio>
#include <cstring>

#include "common/files.hpp"
#include "join/compressed_groups.hpp"
#include "ktsolve/common/checked_bytes.hpp"

namespace ktsolve::join {

namespace {

constexpr u64 kMagic = 0x355245594C544Bull; // "KTLYER5" backwards; byte order included

// | Header | SegmentHeader | ... | compressed segments |
struct Header {
    u64 magic = kMagic, segments = 0, mark = 0, checksum = 0; // of the headers of segments
};
struct SegmentHeader {
    u64 place, bytes, groups, checksum; // the place is that of the first byte in the file
};

struct DiskFull {};

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

u64 checksum_of(const SegmentHeader& segment, const void* data) {
    return mixed(mixed(0, &segment, offsetof(SegmentHeader, checksum)), data, segment.bytes);
}
u64 checksum_of(const std::vector<SegmentHeader>& segments) {
    return mixed(0, segments.data(), segments.size() * sizeof(SegmentHeader));
}

// A file for each thread, opened when it is first needed.
class Files {
  public:
    Files(const std::string& path, File (*open)(const std::string&), int threads)
        : path_(path), open_(open), files_(static_cast<std::size_t>(threads)) {}

    // The thread's file, at this byte.
    std::FILE* at(int worker, u64 place) {
        File& file = files_[static_cast<std::size_t>(worker)];
        if (!file) file = open_(path_);
        if (!file || !go_to(file.get(), place)) fail(path_, std::strerror(errno));
        return file.get();
    }
    void flush() const {
        for (const File& file : files_) {
            if (!file || std::fflush(file.get()) == 0) continue;
            if (errno == ENOSPC) throw DiskFull{};
            fail(path_, std::strerror(errno));
        }
    }

  private:
    const std::string& path_;
    File (*open_)(const std::string&);
    std::vector<File> files_;
};

void read(const std::string& path, std::FILE* file, void* data, u64 bytes) {
    if (bytes > 0 && std::fread(data, 1, bytes, file) != bytes)
        fail(path, "is cut short; remove it and it will be made again");
}

// The file of a layer after its header, or null if there is none.
File opened(const std::string& path, Header& header) {
    File file = open_to_read(path);
    if (!file) {
        if (errno == ENOENT) return file;
        fail(path, std::strerror(errno));
    }
    read(path, file.get(), &header, sizeof header);
    if (header.magic != kMagic)
        fail(path, "is not a half table of this version of ktsolve; remove it and it will be made again");
    return file;
}

} // namespace

bool save_layer(const std::string& path, const Layer& layer, u64 mark, Context& context) {
    constexpr u64 smallest = 8; // a file has a larger part than an eighth of the bytes in memory
    if (layer.bytes() / smallest > context.disk_left) return false;
    // Two processes may make the same table at the same time.
    const std::string partial = path + ".partial-" + process_number();
    struct Unfinished { // goes again unless it was renamed
        const std::string& name;
        ~Unfinished() { remove_file(name); }
    } const unfinished{partial};
    const auto put = [&](std::FILE* file, const void* data, u64 bytes) {
        if (bytes == 0 || std::fwrite(data, 1, bytes, file) == bytes) return;
        if (errno == ENOSPC) throw DiskFull{};
        fail(partial, std::strerror(errno));
    };
    std::vector<SegmentHeader> segments(layer.segments().size());
    Header header;
    header.segments = segments.size();
    header.mark = mark;
    if (!open_to_write(partial)) fail(partial, std::strerror(errno));
    std::atomic<u64> end = first_byte(segments.size());
    try { // closed before it is renamed
        Files files(partial, open_to_change, context.workers.threads());
        context.workers.run(segments.size(), [&](int worker, u64 n) {
            const Segment& segment = layer.segments()[n];
            const std::vector<u8> data = compressed(segment, context.ends);
            const u64 bytes = data.size() - ChunkPool::kSlack;
            segments[n] = {end.fetch_add(bytes), bytes, segment.groups, 0};
            if (segments[n].place + bytes > context.disk_left) throw DiskFull{};
            segments[n].checksum = checksum_of(segments[n], data.data());
            put(files.at(worker, segments[n].place), data.data(), bytes);
            context.workers.tick(worker);
        });
        header.checksum = checksum_of(segments);
        std::FILE* const file = files.at(0, 0);
        put(file, &header, sizeof header);
        put(file, segments.data(), segments.size() * sizeof(SegmentHeader));
        files.flush();
    } catch (const DiskFull&) {
        return false;
    }
    if (const std::error_code error = rename_file(partial, path)) fail(path, error.message());
    context.disk_left -= std::min(context.disk_left, end.load());
    return true;
}

std::optional<u64> mark_of_layer(const std::string& path) {
    Header header;
    return opened(path, header) ? std::optional(header.mark) : std::nullopt;
}

bool load_layer(const std::string& path, Layer& layer, u64& mark, Context& context) {
    Header header;
    std::vector<SegmentHeader> segments;
    const auto get = [&](std::FILE* file, void* data, u64 bytes) { read(path, file, data, bytes); };
    const auto damaged = [&] { fail(path, "is damaged; remove it and it will be made again"); };
    {
        const File file = opened(path, header);
        if (!file) return false;
        for (u64 i = 0; i < header.segments; ++i) { // with a wrong number this ends with the file
            SegmentHeader s;
            get(file.get(), &s, sizeof s);
            segments.push_back(s);
        }
    }
    // Sizes are used only if they add up to that of the file.
    const u64 size = file_bytes(path);
    u64 expected = first_byte(segments.size());
    for (const SegmentHeader& s : segments) {
        if (s.bytes > size || s.place > size - s.bytes) damaged();
        expected += s.bytes;
    }
    if (size != expected || checksum_of(segments) != header.checksum) damaged();
    layer.clear();
    Files files(path, open_to_read, context.workers.threads());
    try {
        layer = context.build_layer(segments.size(), [&](int worker, u64 n, Writer& writer) {
            const SegmentHeader& s = segments[n];
            std::vector<u8> data(s.bytes + ChunkPool::kSlack);
            get(files.at(worker, s.place), data.data(), s.bytes);
            if (checksum_of(s, data.data()) != s.checksum) damaged();
            decompress(data.data(), s.bytes, s.groups, context.ends, writer);
            context.workers.tick(worker);
        });
    } catch (const DamagedBytes&) {
        damaged();
    }
    mark = header.mark;
    return true;
}

} // namespace ktsolve::join
