// A file that is read where it lies, page by page as it is needed.
#pragma once

#include <string>

#include "common/integers.hpp"

namespace ktsolve::join {

class MappedFile {
  public:
    // Throws SpillFailed (ktsolve/join/count.hpp) with the system's reason.
    explicit MappedFile(const std::string& path);
    ~MappedFile();
    MappedFile(const MappedFile&) = delete;
    MappedFile& operator=(const MappedFile&) = delete;

    const u8* data() const { return data_; }
    u64 bytes() const { return bytes_; }
    const std::string& path() const { return path_; }

  private:
    std::string path_;
    u8* data_ = nullptr;
    u64 bytes_ = 0;
};

} // namespace ktsolve::join
