// Makes the decision diagram of a sweep: all states from which a cycle is reached, layer by layer.
#include "ktsolve/frontier/diagram.hpp"

#include <algorithm>
#include <bit>
#include <cstring>

#include "common/limbs.hpp"
#include "common/return_memory.hpp"
#include "common/stopped.hpp"
#include "frontier/choices.hpp"
#include "frontier/records.hpp"
#include "frontier/sweep.hpp"

namespace ktsolve {

using namespace frontier;

namespace {

// The store of the first pass: for each state the parities that its partial solutions have, as a set.
class Parities {
  public:
    using Value = u8;
    static constexpr bool kThreads = false; // the same states are always in the same order

    Parities(const std::vector<StepChoices>& choices, bool odd) : choices_(choices), odd_(odd) {}

    void merge(Value& to, bool fresh, Value from, Choice choice, const Step&, std::size_t) {
        if (fresh) to = 0;
        to = static_cast<u8>(to | (odd_ ? moved(from, choice) : from));
    }
    void close(Value, Choice, const Step&) {}
    void begin_step(std::size_t) {}
    void release(std::size_t) {}
    void end_step() { ++step_; }

  private:
    u8 moved(u8 from, Choice choice) const {
        const StepChoices& here = choices_[step_];
        u8 found = 0;
        for (u32 i = here.begin(choice); i < here.end(choice); ++i)
            found |= here.variants[i].parity ? static_cast<u8>((from >> 1) | (from << 1)) : from;
        return found & 3;
    }

    const std::vector<StepChoices>& choices_;
    bool odd_;
    std::size_t step_ = 0;
};

// Counts of the nodes of a layer, as rows of limbs that grow together. A node is a state and the parity that
// it needs.
struct Rows {
    int limbs = 1;
    std::vector<u64> data;

    const u64* row(u64 number) const { return data.data() + number * static_cast<u64>(limbs); }
    void widen() {
        std::vector<u64> wider;
        wider.reserve(data.size() / static_cast<std::size_t>(limbs) * static_cast<std::size_t>(limbs + 1));
        for (std::size_t at = 0; at < data.size(); at += static_cast<std::size_t>(limbs)) {
            wider.insert(wider.end(), data.begin() + static_cast<std::ptrdiff_t>(at),
                         data.begin() + static_cast<std::ptrdiff_t>(at) + limbs);
            wider.push_back(0);
        }
        data.swap(wider);
        ++limbs;
    }
};

template <class KeyT> class Builder {
  public:
    Builder(FrontierDiagram& diagram, const Plan& plan, const Limits& limits, Watch& watch,
            FrontierReport& report)
        : diagram_(diagram), plan_(plan), budget_(limits.bytes), watch_(watch), report_(report),
          parts_(diagram.odd ? 2 : 1) {
        for (const Step& step : plan.steps) choices_.emplace_back(step, diagram.parallel);
    }

    void run() {
        forwards();
        backwards();
        return_memory();
    }

  private:
    static constexpr u32 kNone = ~u32{0};
    static constexpr u32 kClosed = kNone - 1;

    struct Layer {
        std::vector<KeyT> keys;
        std::vector<u8> parities;
        u64 bytes() const { return keys.capacity() * sizeof(KeyT) + parities.capacity(); }
    };
    using Numbers = Table<KeyT, u32>;

    // The nodes of a layer that lie on cycles. State i has the nodes parts * i and parts * i + 1.
    struct Live {
        Numbers number{1};
        Rows counts;
        std::vector<u64> records; // the first record of each node
        u64 bytes() const {
            return number.bytes() + (counts.data.capacity() + records.capacity()) * sizeof(u64);
        }
    };

    void forwards() {
        const u64 steps = plan_.steps.size();
        Workers workers(1, watch_);
        Budget budget(budget_);
        Parities store(choices_, diagram_.odd);
        Sweep<KeyT, Parities> sweep(plan_, workers, budget, report_, store, 1);
        sweep.steps_in_all = 2 * steps;
        layers_.resize(steps);
        layers_[0] = {{KeyT{}}, {1}};
        for (std::size_t s = 0; s + 1 < steps; ++s) {
            sweep.run(static_cast<int>(s) + 1);
            Layer& layer = layers_[s + 1];
            const std::size_t states = sweep.size();
            const u64 more = states * (sizeof(KeyT) + (diagram_.odd ? 1 : 0));
            budget.take(more);
            kept_ += more;
            layer.keys.reserve(states);
            if (diagram_.odd) layer.parities.reserve(states);
            sweep.each([&](const auto& entry) {
                layer.keys.push_back(entry.key);
                if (diagram_.odd) layer.parities.push_back(entry.value);
            });
        }
        report_.peak_bytes = std::max(report_.peak_bytes, budget.peak());
    }

    void backwards() {
        const std::size_t steps = plan_.steps.size();
        diagram_.layers.clear();
        diagram_.layers.resize(steps);
        Live next, here;
        for (std::size_t s = steps; s-- > 0;) {
            step_back(s, next, here);
            made_ += encode(s, next, here);
            const u64 done = layers_[s].bytes() + next.bytes();
            kept_ -= s > 0 ? layers_[s].bytes() : 0;
            layers_[s] = {};
            next = std::move(here);
            here = {};
            freed_.freed(done, kept_ + made_ + next.bytes());
        }
        report_.eliminated = static_cast<int>(steps);
        diagram_.count.assign(static_cast<std::size_t>(next.counts.limbs), 0);
        if (!next.records.empty() && next.records[static_cast<std::size_t>(parts_ - 1)] != kNowhere)
            diagram_.count.assign(next.counts.row(static_cast<u64>(parts_ - 1)),
                                  next.counts.row(static_cast<u64>(parts_ - 1)) + next.counts.limbs);
        const int used = std::max(1, significant_limbs(diagram_.count.data(), next.counts.limbs));
        diagram_.count.resize(static_cast<std::size_t>(used));
    }

    // The live nodes of layer `s`, and the choices of each.
    void step_back(std::size_t s, const Live& next, Live& here) {
        const Successors<KeyT> successors(plan_.steps[s]);
        const StepChoices& choices = choices_[s];
        const Layer& layer = layers_[s];
        here.counts.limbs = next.counts.limbs;
        arcs_.clear();
        ends_.clear();
        live_.clear();
        if (layer.keys.size() >= kClosed / 2) throw Stopped{Status::out_of_memory}; // numbers have 32 bits
        for (std::size_t k = 0; k < layer.keys.size(); ++k) {
            const KeyT& key = layer.keys[k];
            if ((k & 0x3FF) == 0)
                poll_or_throw(watch_,
                              {2 * plan_.steps.size() - 1 - s, 2 * plan_.steps.size(), layer.keys.size()});
            found_.clear();
            successors.of(
                key,
                [&](const KeyT& to, Choice choice) {
                    if (next.number.size() == 0) return;
                    const auto* entry = next.number.find(to, to.hash());
                    if (entry != nullptr)
                        found_.push_back({choices.begin(choice), choices.end(choice), entry->value});
                },
                [&](Choice choice) {
                    found_.push_back({choices.begin(choice), choices.end(choice), kClosed});
                });
            if (found_.empty()) continue;
            std::sort(found_.begin(), found_.end(),
                      [](const Found& a, const Found& b) { return a.begin < b.begin; });
            make_room(live_, 1, here, next);
            if (add_nodes(s, choices, layer, k, next, here)) live_.push_back(static_cast<u32>(k));
        }
        number_states(layer, next, here);
    }

    struct Found {
        u32 begin, end; // variants
        u32 state;      // of the next layer, or kClosed
    };
    struct Arc {
        u32 node; // of the next layer, or kClosed
        u32 choice;
    };

    // Appends the nodes of a state, with their arcs; false, and nothing done, if no cycle passes them.
    bool add_nodes(std::size_t s, const StepChoices& choices, const Layer& layer, std::size_t k,
                   const Live& next, Live& here) {
        const std::size_t arcs_before = arcs_.size();
        std::size_t most = 0;
        for (const Found& each : found_) most += each.end - each.begin;
        make_room(arcs_, most * static_cast<std::size_t>(parts_), here, next);
        make_room(ends_, 2, here, next);
        make_room(here.counts.data, static_cast<std::size_t>(2 * (here.counts.limbs + 1)), here, next);
        const std::size_t first_node = ends_.size();
        for (int need = 0; need < parts_; ++need) {
            here.counts.data.resize(here.counts.data.size() + static_cast<std::size_t>(here.counts.limbs), 0);
            if (parts_ == 2) {
                // Partial solutions of the other parity lead here.
                const u8 had = s == 0 ? u8{1} : layer.parities[k];
                if (((had >> (1 ^ need)) & 1) == 0) {
                    ends_.push_back(arcs_.size());
                    continue;
                }
            }
            for (const Found& each : found_)
                for (u32 v = each.begin; v < each.end; ++v) {
                    const int rest = parts_ == 1 ? 0 : need ^ choices.variants[v].parity;
                    if (each.state == kClosed) {
                        if (rest != 0) continue;
                        arcs_.push_back({kClosed, v});
                        add_one(here.counts);
                    } else {
                        const u32 node = each.state * static_cast<u32>(parts_) + static_cast<u32>(rest);
                        if (is_zero(next.counts.row(node), next.counts.limbs)) continue;
                        arcs_.push_back({node, v});
                        add_count(here, next, node);
                    }
                }
            ends_.push_back(arcs_.size());
        }
        if (arcs_.size() > arcs_before) return true;
        ends_.resize(first_node);
        here.counts.data.resize(first_node * static_cast<std::size_t>(here.counts.limbs));
        return false;
    }

    static void add_one(Rows& rows) {
        u64* row = rows.data.data() + rows.data.size() - rows.limbs;
        for (int i = 0; i < rows.limbs; ++i)
            if (++row[i] != 0) return;
        // A state has few choices that close a cycle, and its count began with 0.
    }

    // Adds the count of a node of the next layer to that of the last node of this one.
    void add_count(Live& here, const Live& next, u32 node) {
        const u64* from = next.counts.row(node);
        u64* to = here.counts.data.data() + here.counts.data.size() - here.counts.limbs;
        u64 carry = add_limbs(to, from, next.counts.limbs);
        for (int i = next.counts.limbs; carry != 0 && i < here.counts.limbs; ++i) carry = ++to[i] == 0;
        if (carry == 0) return;
        need(here, next, here.counts.data.size() * 2 * sizeof(u64));
        here.counts.widen();
        here.counts.data.back() = 1;
    }

    // Numbers the live states of a layer. The table gets its size at once: keys come in the order of a table
    // with the same hashes, and in one that grows they would crowd its first places.
    void number_states(const Layer& layer, const Live& next, Live& here) {
        if (live_.empty() || layer.keys[live_[0]].empty()) return; // the state before the first step
        const std::size_t places = Numbers::places_for(live_.size());
        need(here, next, places * sizeof(typename Numbers::EntryT));
        here.number = Numbers(places);
        for (std::size_t i = 0; i < live_.size(); ++i) {
            const KeyT& key = layer.keys[live_[i]];
            here.number.find_or_add(key, key.hash()).first->value = static_cast<u32>(i);
        }
    }

    // Writes the records of layer `s`; returns their bytes.
    u64 encode(std::size_t s, const Live& next, Live& here) {
        DiagramLayer& layer = diagram_.layers[s];
        const int limbs = here.counts.limbs;
        // The width of the numbers before a choice: that of the largest count.
        int count_bits = 0;
        for (std::size_t at = 0; at < here.counts.data.size(); at += static_cast<std::size_t>(limbs)) {
            const u64* row = here.counts.data.data() + at;
            const int used = significant_limbs(row, limbs);
            if (used > 0) count_bits = std::max(count_bits, 64 * used - std::countl_zero(row[used - 1]));
        }
        const u64 targets = records_after(diagram_, s);
        layer.records = arcs_.size();
        layer.choice_bits = choices_[s].bits;
        layer.count_bytes = (count_bits + 7) / 8;
        layer.link_bytes = (static_cast<int>(std::bit_width(targets)) + layer.choice_bits + 1 + 7) / 8;
        if (layer.link_bytes > 8) throw Stopped{Status::out_of_memory};
        need(here, next, layer.size() + ends_.size() * sizeof(u64));
        here.records.assign(ends_.size(), kNowhere);
        layer.made.assign(layer.size(), 0);
        std::vector<u64> before(static_cast<std::size_t>(limbs));
        u8* to = layer.made.data();
        std::size_t arc = 0;
        for (std::size_t node = 0; node < ends_.size(); ++node) {
            std::fill(before.begin(), before.end(), 0);
            if (arc < ends_[node]) here.records[node] = arc;
            for (; arc < ends_[node]; ++arc) {
                const auto [target, choice] = arcs_[arc];
                std::memcpy(to, before.data(), static_cast<std::size_t>(layer.count_bytes));
                to += layer.count_bytes;
                const u64 record = target == kClosed ? targets : next.records[target];
                const u64 link =
                    (record << (layer.choice_bits + 1)) | (u64{choice} << 1) | (arc + 1 == ends_[node]);
                std::memcpy(to, &link, static_cast<std::size_t>(layer.link_bytes));
                to += layer.link_bytes;
                if (target == kClosed) {
                    for (std::size_t i = 0; i < before.size() && ++before[i] == 0; ++i) {
                    }
                } else {
                    u64 carry = add_limbs(before.data(), next.counts.row(target), next.counts.limbs);
                    for (auto i = static_cast<std::size_t>(next.counts.limbs);
                         carry != 0 && i < before.size(); ++i)
                        carry = ++before[i] == 0;
                }
            }
        }
        layer.bytes = CheckedBytes(layer.made.data(), layer.made.size(), nullptr);
        return layer.made.capacity();
    }

    // Makes room for further elements; their vector may move to twice its size.
    template <class T>
    void make_room(std::vector<T>& list, std::size_t more, const Live& here, const Live& next) {
        if (list.size() + more <= list.capacity()) return;
        const std::size_t wanted = std::max(list.capacity() * 2, list.size() + more);
        need(here, next, wanted * sizeof(T));
        list.reserve(wanted);
    }

    void need(const Live& here, const Live& next, u64 more) {
        const u64 in_all = kept_ + made_ + here.bytes() + next.bytes() + arcs_.capacity() * sizeof(Arc) +
                           ends_.capacity() * sizeof(std::size_t) + live_.capacity() * sizeof(u32) + more;
        if (in_all > budget_) throw Stopped{Status::out_of_memory};
        report_.peak_bytes = std::max(report_.peak_bytes, in_all);
    }

    static constexpr u64 kNowhere = ~u64{0};

    FrontierDiagram& diagram_;
    const Plan& plan_;
    u64 budget_;
    Watch& watch_;
    FrontierReport& report_;
    int parts_;
    std::vector<StepChoices> choices_;
    std::vector<Layer> layers_;
    u64 kept_ = 0, made_ = 0; // bytes of keys and of records
    FreedMemory freed_;
    std::vector<Found> found_;      // the successors of one state
    std::vector<u32> live_;         // places in the layer of the states that lie on cycles
    std::vector<Arc> arcs_;         // of the layer
    std::vector<std::size_t> ends_; // for each node the end of its arcs
};

} // namespace

std::uint64_t FrontierDiagram::bytes() const {
    u64 sum = 0;
    for (const DiagramLayer& layer : layers) sum += layer.made.capacity() + sizeof(DiagramLayer);
    return sum;
}

void restore_diagram(FrontierDiagram& diagram, std::vector<std::uint64_t> count,
                     std::vector<DiagramLayer> layers) {
    const auto vertices = static_cast<std::size_t>(diagram.graph.vertices);
    if (count.empty() || (!layers.empty() && layers.size() != vertices)) throw DamagedBytes();
    if (layers.empty() && std::any_of(count.begin(), count.end(), [](u64 limb) { return limb != 0; }))
        throw DamagedBytes();
    for (const DiagramLayer& layer : layers)
        if (layer.choice_bits < 0 || layer.choice_bits > 32 || layer.link_bytes < 1 || layer.link_bytes > 8 ||
            layer.count_bytes < 0 || static_cast<std::size_t>(layer.count_bytes) > 8 * count.size() ||
            layer.records > layer.bytes.size() || layer.size() != layer.bytes.size())
            throw DamagedBytes();
    diagram.count = std::move(count);
    diagram.layers = std::move(layers);
}

FrontierReport build_diagram(FrontierDiagram& diagram, const Limits& limits, Monitor* monitor) {
    FrontierReport report;
    check_parallel(diagram);
    const Plan plan = make_plan(diagram.graph, {}, diagram.parallel.empty());
    report.widest = plan.widest;
    diagram.layers.clear();
    diagram.count = {0};
    Watch watch(limits, monitor);
    if (diagram.graph.vertices >= 3)
        report.status = status_of([&] {
            with_key(plan,
                     [&](auto key) { Builder<decltype(key)>(diagram, plan, limits, watch, report).run(); });
        });
    report.count = diagram.count;
    report.limbs = diagram.limbs();
    return report;
}

} // namespace ktsolve
