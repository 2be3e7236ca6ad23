#include "cuda/nufft/points/cell_sort.h"

#include <bit>

#include <cub/device/device_radix_sort.cuh>

#include "cuda/device/launch.cuh"
#include "cuda/nufft/points/locate.cuh"

namespace spokelab::gpu {
namespace {

template <class Word>
__global__ void makePlaces(const __grid_constant__ CellShape shape, const double* coordinates,
                           std::int64_t count, Word* places, std::uint32_t* numbers, int* notFinite) {
  const std::int64_t j = globalThread();
  if (j >= count) return;
  places[j] = fixedPlace<Word>(usable(coordinates[j], notFinite), shape.grid, shape.halfWidth, shape.bits);
  numbers[j] = std::uint32_t(j);
}

// start[c] = first position whose cell is >= c, c = 0 ... cells.
template <class Word>
__global__ void findCells(const Word* places, std::int64_t count, int bits, std::int64_t cells,
                          std::uint32_t* start) {
  const std::int64_t c = globalThread();
  if (c > cells) return;
  std::int64_t low = 0, high = count;
  while (low < high) {
    const std::int64_t middle = (low + high) / 2;
    if (std::int64_t(places[middle] >> bits) < c)
      low = middle + 1;
    else
      high = middle;
  }
  start[c] = std::uint32_t(low);
}

template <class Word>
std::size_t sortScratch(std::int64_t count, int firstBit, int endBit) {
  std::size_t bytes = 0;
  cub::DoubleBuffer<Word> noPlaces;
  cub::DoubleBuffer<std::uint32_t> noNumbers;
  check(cub::DeviceRadixSort::SortPairs(nullptr, bytes, noPlaces, noNumbers, count, firstBit, endBit),
        "planning a sort");
  return bytes;
}

// Takes `bytes` of the loan, or of `own` if the loan has too few.
void* taken(Loan& loan, std::int64_t bytes, DeviceBuffer<char>& own) {
  constexpr std::int64_t alignment = 256;
  bytes = (bytes + alignment - 1) / alignment * alignment;
  if (loan.bytes >= bytes) {
    char* const data = static_cast<char*>(loan.data);
    loan = {data + bytes, loan.bytes - bytes};
    return data;
  }
  own.resize(bytes);
  return own.data();
}

template <class T>
void keepCurrent(T* wanted, const cub::DoubleBuffer<T>& sorted, std::int64_t count, cudaStream_t stream) {
  // CUB may take another number of passes than foreseen.
  if (const T* current = sorted.d_buffers[sorted.selector]; current != wanted)
    check(cudaMemcpyAsync(wanted, current, std::size_t(count) * sizeof(T), cudaMemcpyDeviceToDevice, stream),
          "sorting points");
}

}  // namespace

template <class Word>
void CellSorter::sort(const CellShape& shape, const double* coordinates, std::int64_t count, int* notFinite,
                      Loan room, const CellOrder<Word>& order, cudaStream_t stream) {
  order.places.resize(count);
  order.permutation.resize(count + sortPadding);
  order.cellStart.resize(std::int64_t(shape.grid) + 1);
  if (count > 0) {
    auto* const otherPlaces =
        static_cast<Word*>(taken(room, count * std::int64_t(sizeof(Word)), otherPlaces_));
    auto* const otherNumbers =
        static_cast<std::uint32_t*>(taken(room, count * std::int64_t(sizeof(std::uint32_t)), otherNumbers_));
    const int cellBits = int(std::bit_width(std::uint32_t(shape.grid - 1)));
    // An even number of passes ends where it began.
    constexpr int radixBits = 8;
    const bool even = (cellBits + radixBits - 1) / radixBits % 2 == 0;
    Word* const places = order.places.data();
    std::uint32_t* const numbers = order.permutation.data();
    cub::DoubleBuffer<Word> sortedPlaces(even ? places : otherPlaces, even ? otherPlaces : places);
    cub::DoubleBuffer<std::uint32_t> sortedNumbers(even ? numbers : otherNumbers,
                                                   even ? otherNumbers : numbers);
    makePlaces<Word><<<blocksFor(count), threadsPerBlock, 0, stream>>>(
        shape, coordinates, count, sortedPlaces.Current(), sortedNumbers.Current(), notFinite);
    checkLaunch("sorting points");
    std::size_t bytes = scratchBytes_.of(
        count, cellBits, [&] { return sortScratch<Word>(count, shape.bits, shape.bits + cellBits); });
    scratch_.resize(std::int64_t(bytes));
    check(cub::DeviceRadixSort::SortPairs(scratch_.data(), bytes, sortedPlaces, sortedNumbers, count,
                                          shape.bits, shape.bits + cellBits, stream),
          "sorting points");
    keepCurrent(places, sortedPlaces, count, stream);
    keepCurrent(numbers, sortedNumbers, count, stream);
  }
  const std::int64_t cells = shape.grid;
  findCells<Word><<<blocksFor(cells + 1), threadsPerBlock, 0, stream>>>(
      order.places.data(), count, shape.bits, cells, order.cellStart.data());
  checkLaunch("sorting points");
}

std::int64_t CellSorter::estimate(std::int64_t count, std::int64_t wordBytes) {
  const bool narrow = wordBytes == std::int64_t(sizeof(std::uint32_t));
  const int bits = 8 * int(sizeof(std::uint32_t));  // of a cell's number, at most
  const std::size_t scratch =
      narrow ? sortScratch<std::uint32_t>(count, 0, bits) : sortScratch<std::uint64_t>(count, 0, bits);
  return count * (wordBytes + std::int64_t(sizeof(std::uint32_t))) + std::int64_t(scratch);
}

template void CellSorter::sort(const CellShape&, const double*, std::int64_t, int*, Loan,
                               const CellOrder<std::uint32_t>&, cudaStream_t);
template void CellSorter::sort(const CellShape&, const double*, std::int64_t, int*, Loan,
                               const CellOrder<std::uint64_t>&, cudaStream_t);

}  // namespace spokelab::gpu
