// A layer that is read for the last time, by tasks that are started in order of their numbers. The memory of
// a segment goes back to the pool, for the next layer, when all tasks that read it have ended.
#pragma once

#include <algorithm>
#include <mutex>
#include <vector>

#include "join/groups.hpp"

namespace ktsolve::join {

class LastReading {
  public:
    // `reader[s]` is the last task that reads segment s.
    LastReading(Layer& layer, const std::vector<u64>& reader, u64 tasks) : layer_(&layer), ended_(tasks) {
        for (std::size_t s = 0; s < reader.size(); ++s) to_clear_.emplace_back(reader[s], s);
        std::sort(to_clear_.begin(), to_clear_.end());
    }

    void task_ended(u64 task) {
        const std::lock_guard lock(mutex_);
        ended_[task] = 1;
        while (first_ < ended_.size() && ended_[first_] != 0) ++first_;
        for (; cleared_ < to_clear_.size() && to_clear_[cleared_].first < first_; ++cleared_)
            layer_->clear(to_clear_[cleared_].second);
    }

  private:
    Layer* layer_;
    std::mutex mutex_;
    std::vector<char> ended_;
    u64 first_ = 0;                                     // all tasks below have ended
    std::vector<std::pair<u64, std::size_t>> to_clear_; // last reader, segment
    std::size_t cleared_ = 0;
};

} // namespace ktsolve::join
