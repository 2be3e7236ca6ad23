#include "cuda/nufft/bin_sort.h"

#include <algorithm>
#include <vector>

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

// Number of bits that hold 0 ... keys - 1.
int keyBits(std::int64_t keys) {
  int bits = 1;
  while ((std::int64_t(1) << bits) < keys) ++bits;
  return bits;
}

// Of CUB's radix sort, eight bits each.
int passes(int bits) {
  constexpr int radixBits = 8;
  return (bits + radixBits - 1) / radixBits;
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

KeySorter::Room KeySorter::room(std::int64_t count, std::int64_t keys,
                                DeviceBuffer<std::uint32_t>& permutation, std::initializer_list<Loan> loans) {
  constexpr std::int64_t alignment = 256;
  count_ = count;
  bits_ = keyBits(keys);
  std::vector<Loan> free(loans);
  DeviceBuffer<std::uint32_t>* next = own_;
  const auto array = [&](std::int64_t length) {
    const std::int64_t bytes =
        (length * std::int64_t(sizeof(std::uint32_t)) + alignment - 1) / alignment * alignment;
    for (Loan& loan : free)
      if (loan.bytes >= bytes) {
        char* const data = static_cast<char*>(loan.data);
        loan = {data + bytes, loan.bytes - bytes};
        return reinterpret_cast<std::uint32_t*>(data);
      }
    next->resize(length);
    return next++->data();
  };
  keys_[0] = array(count);
  keys_[1] = array(count);
  index_ = array(count);
  permutation.resize(count + sortPadding);
  // An even number of passes ends where it began.
  return {keys_[0], passes(bits_) % 2 == 0 ? permutation.data() : index_};
}

void KeySorter::sort(DeviceBuffer<std::uint32_t>& permutation, cudaStream_t stream) {
  if (count_ == 0) return;
  std::size_t bytes = radixScratch(count_, bits_);
  scratch_.resize(std::int64_t(bytes));
  const bool even = passes(bits_) % 2 == 0;
  cub::DoubleBuffer<std::uint32_t> keys(keys_[0], keys_[1]),
      index(even ? permutation.data() : index_, even ? index_ : permutation.data());
  check(cub::DeviceRadixSort::SortPairs(scratch_.data(), bytes, keys, index, count_, 0, bits_, stream),
        "sorting points");
  if (keys.Current() != keys_[0]) std::swap(keys_[0], keys_[1]);
  if (index.Current() != permutation.data())  // CUB took another number of passes
    check(cudaMemcpyAsync(permutation.data(), index.Current(), std::size_t(count_) * sizeof(std::uint32_t),
                          cudaMemcpyDeviceToDevice, stream),
          "sorting points");
}

std::int64_t KeySorter::memory() const {
  return own_[0].bytes() + own_[1].bytes() + own_[2].bytes() + scratch_.bytes();
}

std::int64_t KeySorter::estimate(std::int64_t count, std::int64_t lent) {
  constexpr std::int64_t each = sizeof(std::uint32_t);
  constexpr int mostBits = 8 * sizeof(std::uint32_t);
  const std::int64_t arrays = std::max<std::int64_t>(0, 3 - lent / each);
  return arrays * count * each + std::int64_t(radixScratch(count, mostBits));
}

void keyStarts(const std::uint32_t* sorted, std::int64_t count, std::int64_t keys, std::uint32_t* start,
               cudaStream_t stream) {
  findStarts<<<blocksFor(keys + 1), threadsPerBlock, 0, stream>>>(sorted, count, keys, start);
  checkLaunch("sorting points");
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
      const KeySorter::Room room = sorter_.room(
          count_, binCount(shape), order.permutation,
          {{order.cell.data(), order.cell.bytes()}, {order.fraction.data(), order.fraction.bytes()}});
      if (count_ > 0) {
        makeKeys<<<blocksFor(count_), threadsPerBlock, 0, stream>>>(shape, coordinates_, count_, room,
                                                                    notFinite_);
        checkLaunch("sorting points");
      }
      sorter_.sort(order.permutation, stream);
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
         KeySorter::estimate(points, setup.dims * std::int64_t(sizeof(int) + sizeof(Real)));
}

template class PointOrders<float>;
template class PointOrders<double>;

}  // namespace spokelab::gpu
