// Maps a file into memory, or reads it where files cannot be mapped.
#include "join/mapped_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "common/files.hpp"
#include "ktsolve/join/count.hpp"
#if !defined(_WIN32) && !defined(KTSOLVE_PORTABLE)
#define KTSOLVE_MAPS_FILES 1
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#else
#define KTSOLVE_MAPS_FILES 0
#endif

namespace ktsolve::join {

MappedFile::MappedFile(const std::string& path) : path_(path) {
    const auto fail = [&]() -> void { throw SpillFailed(path_ + ": " + std::strerror(errno)); };
#if !KTSOLVE_MAPS_FILES
    // Read as a whole. The file can then be removed, which Windows refuses while it is open.
    const File file = open_to_read(path);
    if (!file) fail();
    const u64 bytes = file_bytes(path);
    if (bytes == ~u64{0}) throw SpillFailed(path_ + ": is not a file");
    auto data = std::make_unique<u8[]>(bytes + 1);
    if (std::fread(data.get(), 1, bytes, file.get()) != bytes) fail();
    data_ = data.release();
    bytes_ = bytes;
#else
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) fail();
    struct stat status{};
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
        if (errno == 0) errno = EINVAL;
        close(file);
        throw SpillFailed(path_ + ": is not a file");
    }
    bytes_ = static_cast<u64>(status.st_size);
    void* memory = bytes_ == 0 ? nullptr : mmap(nullptr, bytes_, PROT_READ, MAP_SHARED, file, 0);
    const int reason = errno;
    close(file);
    if (memory == MAP_FAILED) {
        errno = reason;
        fail();
    }
    data_ = static_cast<u8*>(memory);
#endif
}

MappedFile::~MappedFile() {
#if !KTSOLVE_MAPS_FILES
    delete[] data_;
#else
    if (data_ != nullptr) munmap(data_, bytes_);
#endif
}

} // namespace ktsolve::join
