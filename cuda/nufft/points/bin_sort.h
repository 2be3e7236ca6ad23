// Orders of the points on the device. A plan keeps one sort per bin size, shared by its methods; a method
// with keys of its own (tensor columns) uses KeySorter. Stable, so results do not depend on timing.
// Bins are boxes of grid cells, x fastest; a point belongs to the bin of its first touched cell (locate.cuh),
// so that all its cells lie within bin + W - 1. Source: papers/cufinufft III.A, GM-sort.
//
// Inside a bin the points are dealt out: the padded bin as it lies in shared memory, a complex value a cell, spreads
// over the memory's 128-byte row of banks in `bankClasses` classes, and positions i, i + 1, ... of the bin take points
// of all classes in turn. Neighbouring lanes then read different banks, whatever the trajectory: all lanes step through
// their cells alike, so what holds for the first cell holds for each (papers/cufinufft has no such order; without it,
// random points read a tile with conflicts of five on the mean).
#pragma once

#include <initializer_list>
#include <map>
#include <memory>

#include "cuda/device/buffer.h"
#include "cuda/nufft/method.h"

namespace spokelab::gpu {

/// Entries that a permutation holds room for after its last, so that pipelines may read ahead.
inline constexpr int sortPadding = 256;

/// Device memory that its owner does not need until work that is queued now has passed the stream.
struct Loan {
  void* data = nullptr;
  std::int64_t bytes = 0;
};

/// CUB radix sort of 32-bit keys with the permutation. It needs three arrays of 4 bytes a point beside the permutation;
/// they are laid into memory that the caller fills only afterwards, and allocated where that is too small.
class KeySorter {
 public:
  /// Where the keys of `count` points go, and the points' numbers; both are written (device) before sort().
  struct Room {
    std::uint32_t *keys, *index;
  };
  /// What is to become of the numbers in order: they are the permutation, or lie beside it for a step that makes it.
  enum class Result { permutation, beside };
  /// keys: how many there can be, 0 ... keys - 1. permutation must live until sort().
  Room room(std::int64_t count, std::int64_t keys, DeviceBuffer<std::uint32_t>& permutation,
            std::initializer_list<Loan> loans, Result result = Result::permutation);
  /// numbers()[p] = index of the p-th point in the caller's order, stable.
  void sort(cudaStream_t stream);
  /// Keys and numbers in order; those that are not the permutation as long as the loans are free.
  const std::uint32_t* sorted() const { return keys_[0]; }
  const std::uint32_t* numbers() const { return index_[0]; }
  std::int64_t memory() const;
  /// Bytes beside loans of `lent` bytes a point.
  static std::int64_t estimate(std::int64_t count, std::int64_t lent);

 private:
  std::int64_t count_ = 0;
  int bits_ = 0;
  std::uint32_t *keys_[2] = {}, *index_[2] = {};  // those in order, and the others
  DeviceBuffer<std::uint32_t> own_[3];
  DeviceBuffer<char> scratch_;
};

/// start[i] = first position in `sorted` whose key is >= i, for i = 0 ... keys (so start[keys] = count).
void keyStarts(const std::uint32_t* sorted, std::int64_t count, std::int64_t keys, std::uint32_t* start,
               cudaStream_t stream);

/// Classes of cells that share no bank: a row of banks holds 128 bytes.
template <class Real>
inline constexpr int bankClasses = 128 / int(2 * sizeof(Real));

/// Points in some order, as kernels see them (a view); locate.cuh reads the places.
template <class Real>
struct OrderedPoints {
  std::int64_t count = 0;
  const std::uint32_t* narrow = nullptr;       // fixed-point places of 32 bits, [dims, count], or
  const std::uint64_t* wide = nullptr;         // of 64 bits; the other is null
  int bits = 0;                                // of them for the fraction of a cell
  Real step = 0;                               // 2^-bits
  const std::uint32_t* permutation = nullptr;  // null: the caller's order
  const std::uint32_t* binStart = nullptr;     // [bins + 1], null in the caller's order
  std::array<int, 3> bin{1, 1, 1};             // cells a bin
  std::array<int, 3> bins{1, 1, 1};            // number of bins per dimension
  std::int64_t binCount() const { return std::int64_t(bins[0]) * bins[1] * bins[2]; }
};

template <class Real>
class TensorOrder;  // tensor.h

template <class Real>
class PointOrders {
 public:
  explicit PointOrders(const MethodSetup<Real>& setup) : setup_(setup) {}

  /// New points: all earlier orders are made again when asked for. Whoever makes one sets *notFinite (device) to 1
  /// where a coordinate is NaN or infinite. room: scratch for whoever makes one, where it is large enough.
  void reset(const double* coordinates, std::int64_t count, int* notFinite, Loan room) {
    coordinates_ = coordinates;
    count_ = count;
    notFinite_ = notFinite;
    room_ = room;
    ++generation_;
    for (auto& [bin, order] : orders_) order->current = false;
  }
  /// The points sorted by bins of `bin` cells, or in the caller's order where bin is {0, 0, 0}. Valid until
  /// the next reset().
  OrderedPoints<Real> order(const std::array<int, 3>& bin, cudaStream_t stream);
  KeySorter& sorter() { return sorter_; }
  int* notFinite() const { return notFinite_; }
  const Loan& room() const { return room_; }
  /// Counts the resets: an order that was made for another generation is stale.
  std::int64_t generation() const { return generation_; }
  /// The tensor methods' order, made by the first of them (null before).
  std::shared_ptr<TensorOrder<Real>> tensor;

  std::int64_t memory() const;
  static std::int64_t estimate(const MethodSetup<Real>& setup, const std::array<int, 3>& bin,
                               std::int64_t points);
  /// What a transform by this method reads of each point: its place, and its number in the caller's order.
  static std::int64_t pointBytes(const MethodSetup<Real>& setup, Method method);

 private:
  struct Order {
    DeviceBuffer<std::uint32_t> narrow, permutation, classStart, binStart;
    DeviceBuffer<std::uint64_t> wide;
    bool current = false;
  };
  template <class Word>
  void make(Order& order, DeviceBuffer<Word>& places, const std::array<int, 3>& bin, cudaStream_t stream);
  MethodSetup<Real> setup_;
  const double* coordinates_ = nullptr;
  std::int64_t count_ = 0, generation_ = 0;
  int* notFinite_ = nullptr;
  Loan room_;
  KeySorter sorter_;
  std::map<std::array<int, 3>, std::unique_ptr<Order>> orders_;
};

}  // namespace spokelab::gpu
