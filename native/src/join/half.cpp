// See join/half.hpp.
#include "join/half.hpp"

#include "common/files.hpp"
#include "join/spill.hpp"

namespace ktsolve::join {

namespace {

// The file of a half, or none.
std::string file_of(const HalfTask& task) {
    if (task.files.empty()) return "";
    std::string name = task.files;
    for (const int sum : task.block_sums) name.append("-").append(std::to_string(sum));
    return name + ".layer";
}

// The sweep of one half.
class Sweep {
  public:
    Sweep(const HalfTask& task, Context& context, std::vector<LayerReport>& log)
        : task_(task), context_(context), log_(log), steps_(task) {
        name_files();
    }

    Half make() {
        Half half{Layer(context_.pool), false, {}};
        const std::size_t all = steps_.count();
        const std::size_t first = load(half);
        for (std::size_t step = 0; step < first; ++step) (void)steps_.next();
        if (first == all) {
            if (half.folded) (void)steps_.mirror_now(half.mirror);
            const u64 states = half.layer.states();
            log_.push_back({-1, states, states, half.layer.groups(), half.layer.bytes()});
            return half;
        }
        if (first == 0) half.layer = empty_layer(context_.pool);
        for (std::size_t step = first; step < all; ++step) {
            if (step == shared_ && step > first && !shared_file_.empty())
                save_layer(shared_file_, half.layer, false, context_.workers);
            const HalfStep taken = steps_.next();
            half.layer = take_step(std::move(half.layer), taken.choices, steps_.restriction(), context_);
            const u64 unfolded = half.layer.states();
            FieldPermutation mirror;
            const bool last = step + 1 == all;
            if (steps_.mirror_now(mirror)) {
                half.layer = fold(std::move(half.layer), mirror, last, context_);
                if (last) {
                    half.folded = true;
                    half.mirror = mirror;
                }
            }
            Progress& progress = context_.workers.progress();
            ++progress.step;
            progress.states = half.layer.states();
            log_.push_back(
                {taken.vertex, unfolded, half.layer.states(), half.layer.groups(), half.layer.bytes()});
            context_.workers.poll();
        }
        if (!own_file_.empty()) save_layer(own_file_, half.layer, half.folded, context_.workers);
        return half;
    }

  private:
    // Names of the files of the half and of the layer that all blocks share: the one before the first step
    // that touches a vertex of the block sets.
    void name_files() {
        if (!task_.block_sums.empty()) shared_ = steps_.untouched(task_.block_cells);
        if (task_.files.empty()) return;
        if (shared_ > 0) shared_file_ = task_.files + "-first-" + std::to_string(shared_) + ".layer";
        own_file_ = file_of(task_);
    }

    // Loads the latest layer that is on disk; returns the number of steps that lead to it.
    std::size_t load(Half& half) {
        if (!own_file_.empty() && load_layer(own_file_, half.layer, half.folded, context_.workers))
            return steps_.count();
        bool folded = false;
        if (!shared_file_.empty() && load_layer(shared_file_, half.layer, folded, context_.workers))
            return shared_;
        return 0;
    }

    const HalfTask& task_;
    Context& context_;
    std::vector<LayerReport>& log_;
    HalfSteps steps_;
    std::size_t shared_ = 0;
    std::string own_file_, shared_file_;
};

} // namespace

std::optional<u64> bytes_on_disk(const HalfTask& task) {
    const u64 bytes = file_bytes(file_of(task));
    return bytes == ~u64{0} ? std::nullopt : std::optional(bytes);
}

Layer empty_layer(ChunkPool& pool) {
    Layer layer(pool);
    Writer writer(pool);
    store_entry(writer.append(0, 1, 1, 1), 1, 0, 0, 1);
    layer.append(writer.finish());
    return layer;
}

Half make_half(const HalfTask& task, Context& context, std::vector<LayerReport>& log) {
    return Sweep(task, context, log).make();
}

} // namespace ktsolve::join
