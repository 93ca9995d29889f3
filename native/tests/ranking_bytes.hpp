// The tables of a ranking as bytes with checksums, and taken from them, as prepared files hold them.
#pragma once

#include "check.hpp"
#include "ktsolve/join/ranking.hpp"

namespace ktsolve {

using u8 = std::uint8_t;
using u64 = std::uint64_t;

inline std::vector<u64> all_indices(u64 count) {
    std::vector<u64> indices;
    for (u64 i = 0; i < count; ++i) indices.insert(indices.end(), {i, 0});
    return indices;
}

struct RankingBytes {
    std::vector<u64> directory;
    std::vector<std::vector<u8>> each; // layers, then patterns and totals
    std::vector<std::vector<u64>> sums;

    explicit RankingBytes(const JoinRanking& ranking) : directory(ranking.directory()) {
        for (const bool upper : {true, false})
            for (std::size_t n = 0; n < 40; ++n)
                if (auto layer = ranking.packed_layer(upper, n); !layer.empty()) each.push_back(layer);
        auto [patterns, ends] = ranking.totals();
        each.push_back(patterns);
        each.push_back(ends);
        sum_up();
    }
    void sum_up() {
        sums.clear();
        for (const auto& bytes : each) {
            sums.emplace_back();
            for (std::size_t at = 0; at < bytes.size(); at += kCheckedBlock)
                sums.back().push_back(
                    checksum_of(bytes.data() + at, std::min(kCheckedBlock, bytes.size() - at)));
        }
    }
    void give(JoinRanking& ranking) const {
        std::vector<CheckedBytes> checked;
        for (std::size_t i = 0; i < each.size(); ++i)
            checked.emplace_back(each[i].data(), each[i].size(), sums[i].data());
        CheckedBytes ends = std::move(checked.back());
        checked.pop_back();
        CheckedBytes patterns = std::move(checked.back());
        checked.pop_back();
        ranking.restore(directory, std::move(checked), std::move(patterns), std::move(ends));
    }
};

} // namespace ktsolve
