// Orders of the points on the device. A plan keeps one sort per bin size, shared by its methods.
// The tensor columns have other keys and use the sorters directly. Few points are sorted by
// counting, many by buckets. Reproducible plans use a stable sort, so their results do not depend
// on timing. Bins are boxes of grid cells, x fastest. A point belongs to the bin of its first
// touched cell (locate.cuh), so all its cells are within bin + W - 1. Source: [cufinufft] III.A,
// GM-sort.
//
// Inside a bin the points are dealt out by bank class. In shared memory the padded bin holds one
// complex value a cell, and a row of banks holds 128 bytes, so the cells fall into `bankClasses`
// classes that share no bank. Positions i, i + 1, ... of the bin take points of all classes in
// turn, so neighbouring lanes start in different banks; all lanes step through their cells alike,
// so their banks keep apart. ([cufinufft] does not order points so; without it, random points read
// a tile with five-fold bank conflicts on average.) The bucket sort deals out the points of each
// tile. The stable sort compares bins only; afterwards a warp deals out up to a thousand points of
// a bin, so classes cost no pass of the sort.
#pragma once

#include <map>
#include <memory>
#include <vector>

#include "cuda/device/buffer.h"
#include "cuda/nufft/method.h"
#include "cuda/nufft/points/bucket_sort.h"
#include "cuda/nufft/points/cell_sort.h"
#include "cuda/nufft/points/counting_sort.h"
#include "cuda/nufft/points/key_sorter.h"

namespace spokelab::gpu {

// Classes of cells that share no bank of shared memory (128 bytes a row of banks).
template <class Real>
inline constexpr int bankClasses = 128 / int(2 * sizeof(Real));

struct BinShape;

// Points in some order, as kernels see them (a view); locate.cuh reads the places.
template <class Real>
struct OrderedPoints {
  std::int64_t count = 0;
  // Fixed-point places, [dims, count], of 32 or of 64 bits; the other pointer is null.
  const std::uint32_t* narrow = nullptr;
  const std::uint64_t* wide = nullptr;
  int bits = 0;                                // of a place for the fraction of a cell
  Real step = 0;                               // 2^-bits
  const std::uint32_t* permutation = nullptr;  // null: the caller's order
  const std::uint32_t* binStart = nullptr;     // [allBins() + 1], null in the caller's order
  std::array<int, 3> bin{1, 1, 1};             // cells a bin
  std::array<int, 3> bins{1, 1, 1};            // number of bins per dimension
  SetView sets{};
  // Bins of one set. Several sets have their bins one after the other.
  constexpr std::int64_t binCount() const { return std::int64_t(bins[0]) * bins[1] * bins[2]; }
  std::int64_t allBins() const { return sets.count * binCount(); }
};

// An order that a method makes for itself (tensor columns).
class OwnOrder {
 public:
  virtual ~OwnOrder() = default;
  virtual std::int64_t memory() const = 0;  // device bytes
};

template <class Real>
class PointOrders {
 public:
  explicit PointOrders(const MethodSetup<Real>& setup) : setup_(setup) {}

  // New points: all earlier orders are made again when asked for. Making an order sets *notFinite
  // (device) to 1 where a coordinate is NaN or infinite, and takes `room` for scratch where it is
  // large enough. Points of several sets stay apart: they are sorted by set, then by bin.
  void reset(const double* coordinates, std::int64_t count, int* notFinite, Loan room, SetView sets = {}) {
    coordinates_ = coordinates;
    count_ = count;
    sets_ = sets;
    notFinite_ = notFinite;
    room_ = room;
    ++generation_;
    for (auto& [bin, order] : orders_) order->current = false;
  }
  // The same coordinates lie there now; orders that are made stay.
  void moved(const double* coordinates) { coordinates_ = coordinates; }
  // Other room for scratch; orders that are made stay.
  void lend(Loan room) { room_ = room; }
  // The points sorted by bins of `bin` cells, or in the caller's order where bin is {0, 0, 0}.
  // Valid until the next reset(). stable: true asks for the stable sort even for few points. The
  // order within a bin is then the caller's, or follows from it by dealing, and is the same in
  // every run.
  OrderedPoints<Real> order(const std::array<int, 3>& bin, cudaStream_t stream, bool stable = false);
  KeySorter& sorter() { return sorter_; }
  CountingSorter& counter() { return counter_; }
  BucketSorter& buckets() { return buckets_; }
  const DeviceLimits& device() const { return setup_.device; }
  // True if an order of orderBytes may take `lacking` bytes more for the bucket sort. These bytes
  // may add at most a third to the memory of order and grid, and memory must not be short, because
  // a plan's estimate does not count them.
  bool affords(std::int64_t lacking, std::int64_t orderBytes) const {
    constexpr std::int64_t share = 3;
    return lacking <= (orderBytes + room_.bytes) / share &&
           (lacking == 0 || (!setup_.limited && lacking <= freeMemory() / 2));
  }
  // Points of one key have to keep the caller's order.
  bool stable() const { return setup_.reproducible; }
  int* notFinite() const { return notFinite_; }
  const Loan& room() const { return room_; }
  // Counts the resets: an order that was made for another generation is stale.
  std::int64_t generation() const { return generation_; }
  // The order of this type, made by the first method that asks, so that both directions of a plan
  // share it.
  template <class Own>
  std::shared_ptr<Own> own() {
    for (const auto& order : own_)
      if (auto found = std::dynamic_pointer_cast<Own>(order)) return found;
    auto made = std::make_shared<Own>();
    own_.push_back(made);
    return made;
  }

  std::int64_t memory() const;
  static std::int64_t estimate(const MethodSetup<Real>& setup, const std::array<int, 3>& bin,
                               std::int64_t points);
  // Bytes that a transform reads for each point of such an order: its place, and its number in the
  // caller's order.
  static std::int64_t pointBytes(const MethodSetup<Real>& setup);

 private:
  struct Order {
    DeviceBuffer<std::uint32_t> narrow, permutation, classStart, binStart;
    DeviceBuffer<std::uint64_t> wide;
    bool current = false, stable = false;
  };
  template <class Word>
  void make(Order& order, DeviceBuffer<Word>& places, const std::array<int, 3>& bin, bool stable,
            cudaStream_t stream);
  template <class Word>
  void makeByCounting(Order& order, DeviceBuffer<Word>& places, const std::array<int, 3>& bin,
                      cudaStream_t stream);
  // The permutation and the starts of the bins; places: scratch.
  template <class Word>
  void makeByBuckets(Order& order, Word* places, const BinShape& shape, cudaStream_t stream);
  MethodSetup<Real> setup_;
  const double* coordinates_ = nullptr;
  std::int64_t count_ = 0, generation_ = 0;
  int* notFinite_ = nullptr;
  SetView sets_;
  Loan room_;
  KeySorter sorter_;
  CellSorter cells_;
  CountingSorter counter_;
  BucketSorter buckets_;
  TaskList dealing_;  // of points in bins
  std::map<std::array<int, 3>, std::unique_ptr<Order>> orders_;
  std::vector<std::shared_ptr<OwnOrder>> own_;
};

}  // namespace spokelab::gpu
