// Orders of many points by way of buckets.
#include "cuda/device/launch.cuh"
#include "cuda/nufft/points/bin_shape.cuh"
#include "cuda/nufft/points/bucket_sort.cuh"

namespace spokelab::gpu {
namespace {

// A point's number moves alone: buckets then take no memory beside the order.
struct CallersNumbers {
  using Record = std::uint32_t;
  BinShape shape;
  const double* coordinates;
  const std::uint32_t* setOfPoint;
  std::uint32_t* keys;
  int* notFinite;
  __device__ __forceinline__ std::uint32_t key(std::int64_t j) const {
    return keys[j] = keyOf(shape, coordinates, j, setOfPoint, notFinite);
  }
  __device__ __forceinline__ Record operator()(std::int64_t j, std::uint32_t& key) const {
    key = keys[j];
    return std::uint32_t(j);
  }
};

}  // namespace

template <class Real>
bool PointOrders<Real>::isBucketed(const std::array<int, 3>& bin) const {
  if (bin[0] == 0 || setup_.reproducible) return false;
  const BinShape shape = binShape(setup_, bin, count_);
  const std::int64_t bins = sets_.count * shape.binCount();
  return BucketSorter::pays(count_, bins * shape.classes) &&
         BucketSorter::serves(count_, bins, shape.classes, sizeof(std::uint32_t), setup_.device);
}

template <class Real>
template <class Word>
void PointOrders<Real>::makeByBuckets(Order& order, Word* places, const BinShape& shape,
                                      cudaStream_t stream) {
  order.permutation.resize(count_ + sortPadding);
  order.binStart.resize(sets_.count * shape.binCount() + 1);
  std::uint32_t* const permutation = order.permutation.data();
  // Keys lie where the permutation comes last, numbers on their way where places come.
  const CallersNumbers numbers{shape, coordinates_, sets_.ofPoint, permutation, notFinite_};
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

template bool PointOrders<float>::isBucketed(const std::array<int, 3>&) const;
template bool PointOrders<double>::isBucketed(const std::array<int, 3>&) const;
template void PointOrders<float>::makeByBuckets(Order&, std::uint32_t*, const BinShape&, cudaStream_t);
template void PointOrders<float>::makeByBuckets(Order&, std::uint64_t*, const BinShape&, cudaStream_t);
template void PointOrders<double>::makeByBuckets(Order&, std::uint64_t*, const BinShape&, cudaStream_t);

}  // namespace spokelab::gpu
