// See join/mapped_file.hpp.
#include "join/mapped_file.hpp"

#include <cerrno>
#include <cstdio>
#include <cstring>

#include "ktsolve/join.hpp"
#if !defined(_WIN32)
#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#endif

namespace ktsolve::join {

MappedFile::MappedFile(const std::string& path) : path_(path) {
    const auto fail = [&]() -> void { throw SpillFailed(path_ + ": " + std::strerror(errno)); };
#if defined(_WIN32)
    std::FILE* file = std::fopen(path.c_str(), "rb");
    if (file == nullptr) fail();
    std::fseek(file, 0, SEEK_END);
    bytes_ = static_cast<u64>(std::ftell(file));
    std::fseek(file, 0, SEEK_SET);
    data_ = new u8[bytes_ + 1];
    const bool whole = std::fread(data_, 1, bytes_, file) == bytes_;
    std::fclose(file);
    if (!whole) {
        delete[] data_;
        fail();
    }
#else
    const int file = open(path.c_str(), O_RDONLY | O_CLOEXEC);
    if (file < 0) fail();
    struct stat status{};
    if (fstat(file, &status) != 0 || !S_ISREG(status.st_mode)) {
        if (errno == 0) errno = EINVAL;
        close(file);
        throw SpillFailed(path_ + ": is no file");
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
#if defined(_WIN32)
    delete[] data_;
#else
    if (data_ != nullptr) munmap(data_, bytes_);
#endif
}

} // namespace ktsolve::join
