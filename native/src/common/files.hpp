// Files by names in UTF-8, of any size, on all systems.
#pragma once

#include <cstdio>
#include <filesystem>
#include <memory>
#include <string>
#include <system_error>

#include "common/integers.hpp"
#if defined(_WIN32)
#include <process.h>
#else
#include <unistd.h>
#endif

namespace ktsolve {

struct CloseFile {
    void operator()(std::FILE* file) const { std::fclose(file); }
};
using File = std::unique_ptr<std::FILE, CloseFile>;

inline std::filesystem::path path_of(const std::string& name) {
    return std::filesystem::path(std::u8string(name.begin(), name.end()));
}

// Null, with the reason in errno, when that fails.
inline File open_file(const std::string& name, const char* mode) {
#if defined(_WIN32)
    return File(_wfopen(path_of(name).c_str(), std::filesystem::path(mode).c_str()));
#else
    return File(std::fopen(name.c_str(), mode));
#endif
}
inline File open_to_read(const std::string& name) {
    return open_file(name, "rb");
}
inline File open_to_write(const std::string& name) {
    return open_file(name, "wb");
}
inline File open_to_change(const std::string& name) { // at any place of a file that is there
    return open_file(name, "r+b");
}

// Whether the next byte read or written is that one.
inline bool go_to(std::FILE* file, u64 byte) {
#if defined(_WIN32)
    return _fseeki64(file, static_cast<long long>(byte), SEEK_SET) == 0;
#else
    return fseeko(file, static_cast<i64>(byte), SEEK_SET) == 0;
#endif
}

// Bytes of a regular file; 2^64 - 1 for anything else. (What ftell returns has 32 bits on Windows.)
inline u64 file_bytes(const std::string& name) {
    std::error_code error;
    const auto path = path_of(name);
    if (!std::filesystem::is_regular_file(path, error)) return ~u64{0};
    const auto bytes = std::filesystem::file_size(path, error);
    return error ? ~u64{0} : static_cast<u64>(bytes);
}

// Gives a file another name, in place of a file that has it.
inline std::error_code rename_file(const std::string& from, const std::string& to) {
    std::error_code error;
    std::filesystem::rename(path_of(from), path_of(to), error);
    return error;
}

// Removes a file, if there is one.
inline void remove_file(const std::string& name) {
    std::error_code error;
    (void)std::filesystem::remove(path_of(name), error);
}

// The number of this process, for names of temporary files.
inline std::string process_number() {
#if defined(_WIN32)
    return std::to_string(_getpid());
#else
    return std::to_string(getpid());
#endif
}

} // namespace ktsolve
