#include "cuda/nufft/bin_sort.h"

#include <cub/device/device_radix_sort.cuh>

#include "cuda/nufft/launch.h"
#include "cuda/nufft/locate.cuh"
#include "cuda/nufft/tensor.h"
#include "engine/core/error.h"

namespace spokelab::gpu {
namespace {

struct BinShape {
  int dims;
  int grid[3], bin[3], bins[3];
  double halfWidth;
};

template <class Real>
struct OrderArrays {
  int* cell;       // [dims][count]
  Real* fraction;  // [dims][count]
};

__global__ void makeKeys(BinShape shape, const double* coordinates, std::int64_t count, KeySorter::Room room,
                         int* notFinite) {
  const std::int64_t j = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (j >= count) return;
  std::uint32_t key = 0;
  for (int d = shape.dims - 1; d >= 0; --d) {
    const double k = usable(coordinates[j * shape.dims + d], notFinite);
    const int cell = locate<double>(k, shape.grid[d], shape.halfWidth).first;
    key = key * std::uint32_t(shape.bins[d]) + std::uint32_t(cell / shape.bin[d]);
  }
  room.keys[j] = key;
  room.index[j] = std::uint32_t(j);
}

template <class Real>
__global__ void gatherPoints(BinShape shape, const double* coordinates, const std::uint32_t* permutation,
                             std::int64_t count, OrderArrays<Real> out, int* notFinite) {
  const std::int64_t p = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (p >= count) return;
  const std::int64_t j = permutation ? permutation[p] : p;
  for (int d = 0; d < shape.dims; ++d) {
    const double k = usable(coordinates[j * shape.dims + d], notFinite);
    const Located<Real> at = locate<Real>(k, shape.grid[d], shape.halfWidth);
    out.cell[d * count + p] = at.first;
    out.fraction[d * count + p] = at.fraction;
  }
}

__global__ void findStarts(const std::uint32_t* sorted, std::int64_t count, std::int64_t keys,
                           std::uint32_t* start) {
  const std::int64_t i = std::int64_t(blockIdx.x) * blockDim.x + threadIdx.x;
  if (i > keys) return;
  std::int64_t low = 0, high = count;
  while (low < high) {
    const std::int64_t middle = (low + high) / 2;
    if (sorted[middle] < i)
      low = middle + 1;
    else
      high = middle;
  }
  start[i] = std::uint32_t(low);
}

std::size_t radixScratch(std::int64_t count, int bits) {
  std::size_t bytes = 0;
  cub::DoubleBuffer<std::uint32_t> none;
  check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, none, none, count, 0, bits), "planning a sort");
  return bytes;
}

template <class Real>
BinShape binShape(const MethodSetup<Real>& setup, const std::array<int, 3>& bin) {
  BinShape shape{};
  shape.dims = setup.dims;
  shape.halfWidth = 0.5 * setup.width;
  for (int d = 0; d < 3; ++d) {
    shape.grid[d] = setup.grid[std::size_t(d)];
    shape.bin[d] = std::max(1, bin[std::size_t(d)]);
    shape.bins[d] = (shape.grid[d] + shape.bin[d] - 1) / shape.bin[d];
  }
  return shape;
}

std::int64_t binCount(const BinShape& shape) {
  return std::int64_t(shape.bins[0]) * shape.bins[1] * shape.bins[2];
}

}  // namespace

KeySorter::Room KeySorter::room(std::int64_t count) {
  keys_.resize(count);
  index_.resize(count + sortPadding);
  return {keys_.data(), index_.data()};
}

void KeySorter::sort(std::int64_t count, int bits, DeviceBuffer<std::uint32_t>& permutation,
                     cudaStream_t stream) {
  sorted_.resize(count);
  permutation.resize(count + sortPadding);  // index_ and it may change places
  if (count == 0) return;
  std::size_t bytes = radixScratch(count, bits);
  scratch_.resize(std::int64_t(bytes));
  // The passes go back and forth between two pairs of buffers; whichever holds the result is kept.
  cub::DoubleBuffer<std::uint32_t> keys(keys_.data(), sorted_.data()),
      index(index_.data(), permutation.data());
  check(cub::DeviceRadixSort::SortPairs(scratch_.data(), bytes, keys, index, count, 0, bits, stream),
        "sorting points");
  if (keys.Current() != sorted_.data()) std::swap(keys_, sorted_);
  if (index.Current() != permutation.data()) std::swap(index_, permutation);
}

std::int64_t KeySorter::memory() const {
  return keys_.bytes() + sorted_.bytes() + index_.bytes() + scratch_.bytes();
}

// CUB needs little more than a histogram a tile beside the buffers it is given.
std::int64_t KeySorter::estimate(std::int64_t count) {
  constexpr std::int64_t arrays = 3, histogramShare = 16, fixedBytes = std::int64_t(1) << 20;
  return arrays * count * std::int64_t(sizeof(std::uint32_t)) + count / histogramShare + fixedBytes;
}

void keyStarts(const std::uint32_t* sorted, std::int64_t count, std::int64_t keys, std::uint32_t* start,
               cudaStream_t stream) {
  findStarts<<<blocksFor(keys + 1), threadsPerBlock, 0, stream>>>(sorted, count, keys, start);
  checkLaunch("sorting points");
}

int keyBits(std::int64_t keys) {
  int bits = 1;
  while ((std::int64_t(1) << bits) < keys) ++bits;
  return bits;
}

template <class Real>
OrderedPoints<Real> PointOrders<Real>::order(const std::array<int, 3>& bin, cudaStream_t stream) {
  const bool sorted = bin[0] > 0;
  const BinShape shape = binShape(setup_, bin);
  auto& slot = orders_[bin];
  if (!slot) slot = std::make_unique<Order>();
  Order& order = *slot;
  if (!order.current) {
    order.cell.resize(count_ * setup_.dims);
    order.fraction.resize(count_ * setup_.dims);
    if (sorted) {
      order.binStart.resize(binCount(shape) + 1);
      const KeySorter::Room room = sorter_.room(count_);
      if (count_ > 0) {
        makeKeys<<<blocksFor(count_), threadsPerBlock, 0, stream>>>(shape, coordinates_, count_, room,
                                                                    notFinite_);
        checkLaunch("sorting points");
      }
      sorter_.sort(count_, keyBits(binCount(shape)), order.permutation, stream);
      keyStarts(sorter_.sorted(), count_, binCount(shape), order.binStart.data(), stream);
    }
    if (count_ > 0) {
      gatherPoints<Real><<<blocksFor(count_), threadsPerBlock, 0, stream>>>(
          shape, coordinates_, sorted ? order.permutation.data() : nullptr, count_,
          {order.cell.data(), order.fraction.data()}, notFinite_);
      checkLaunch("sorting points");
    }
    order.current = true;
  }
  OrderedPoints<Real> view;
  view.count = count_;
  for (int d = 0; d < setup_.dims; ++d) {
    view.cell[d] = order.cell.data() + d * count_;
    view.fraction[d] = order.fraction.data() + d * count_;
  }
  for (int d = 0; d < 3; ++d) {
    view.bin[std::size_t(d)] = shape.bin[d];
    view.bins[std::size_t(d)] = shape.bins[d];
  }
  if (sorted) {
    view.permutation = order.permutation.data();
    view.binStart = order.binStart.data();
  }
  return view;
}

template <class Real>
std::int64_t PointOrders<Real>::memory() const {
  std::int64_t bytes = sorter_.memory() + (tensor ? tensor->memory() : 0);
  for (const auto& [bin, order] : orders_)
    bytes +=
        order->cell.bytes() + order->fraction.bytes() + order->permutation.bytes() + order->binStart.bytes();
  return bytes;
}

template <class Real>
std::int64_t PointOrders<Real>::estimate(const MethodSetup<Real>& setup, const std::array<int, 3>& bin,
                                         std::int64_t points) {
  const std::int64_t located = points * setup.dims * std::int64_t(sizeof(int) + sizeof(Real));
  if (bin[0] == 0) return located;
  return located + std::int64_t(sizeof(std::uint32_t)) * (points + binCount(binShape(setup, bin)) + 1) +
         KeySorter::estimate(points);
}

template class PointOrders<float>;
template class PointOrders<double>;

}  // namespace spokelab::gpu
