// Orders of many points by way of buckets.
#include "cuda/device/launch.cuh"
#include "cuda/nufft/points/bin_shape.cuh"
#include "cuda/nufft/points/bucket_sort.cuh"

namespace spokelab::gpu {
namespace {

struct BinKeys {
  BinShape shape;
  const double* coordinates;
  const std::uint32_t* setOfPoint;
  int* notFinite;
  __device__ __forceinline__ std::uint32_t operator()(std::int64_t j) const {
    return keyOf(shape, coordinates, j, setOfPoint, notFinite);
  }
};

}  // namespace

template <class Real>
template <class Word>
void PointOrders<Real>::makeByBuckets(Order& order, Word* places, const BinShape& shape,
                                      cudaStream_t stream) {
  order.permutation.resize(count_ + sortPadding);
  order.binStart.resize(sets_.count * shape.binCount() + 1);
  std::uint32_t* const permutation = order.permutation.data();
  // Only the point's number moves, so buckets need no memory beside the order. The permutation's
  // memory holds keys first; the memory of places holds numbers in transit.
  const NumberedPoints<BinKeys> numbers{{shape, coordinates_, sets_.ofPoint, notFinite_}, permutation};
  const Loan room{places, count_ * setup_.dims * std::int64_t(sizeof(Word))};
  const auto sort = [&](auto classes) {
    buckets_.sort<classes>(numbers, NumbersInOrder{permutation}, count_, sets_.count * shape.binCount(),
                           order.binStart.data(), room, setup_.device, stream);
  };
  if (shape.classes > 1)
    sort(std::integral_constant<int, bankClasses<Real>>());
  else
    sort(std::integral_constant<int, 1>());
}

template void PointOrders<float>::makeByBuckets(Order&, std::uint32_t*, const BinShape&, cudaStream_t);
template void PointOrders<float>::makeByBuckets(Order&, std::uint64_t*, const BinShape&, cudaStream_t);
template void PointOrders<double>::makeByBuckets(Order&, std::uint64_t*, const BinShape&, cudaStream_t);

}  // namespace spokelab::gpu
