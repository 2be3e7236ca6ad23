// Instructions that only newer devices have: reductions over a warp and asynchronous copies to
// shared memory (compute capability 8.0), vector reductions and bulk reductions (9.0), matrix
// products on tensor cores (half precision 7.5, double 8.0; the larger shapes 8.0 and 9.0). Older
// devices run equivalent code, with two exceptions. Matrix products trap below minHalfProducts and
// minDoubleProducts. Bulk reductions do nothing where hasBulkReduction is false.
#pragma once

#include <cuda_runtime.h>

#include <cstdint>

namespace spokelab::gpu {

// Compute capability, as major * 10 + minor, that tensor cores of a precision need.
inline constexpr int minHalfProducts = 75, minDoubleProducts = 80;

// The largest of a whole warp's values.
__device__ __forceinline__ unsigned largestOfWarp(unsigned value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_max_sync(~0u, value);
#else
#pragma unroll
  for (int apart = 16; apart > 0; apart /= 2) value = max(value, __shfl_xor_sync(~0u, value, apart));
  return value;
#endif
}

// The sum of a whole warp's values.
__device__ __forceinline__ unsigned sumOfWarp(unsigned value) {
#if __CUDA_ARCH__ >= 800
  return __reduce_add_sync(~0u, value);
#else
#pragma unroll
  for (int apart = 16; apart > 0; apart /= 2) value += __shfl_xor_sync(~0u, value, apart);
  return value;
#endif
}

// Copies 4, 8 or 16 bytes; they are there after waitForCopies(), and for other threads after a
// barrier. once (16 bytes only): the source is not read again, so that the copy bypasses the L1
// cache.
template <int bytes, bool once = false>
__device__ __forceinline__ void copyToShared(void* to, const void* from) {
  static_assert(bytes == 4 || bytes == 8 || bytes == 16);
#if __CUDA_ARCH__ >= 800
  const auto shared = static_cast<std::uint32_t>(__cvta_generic_to_shared(to));
  if constexpr (once && bytes == 16)
    asm volatile("cp.async.cg.shared.global [%0], [%1], 16;" ::"r"(shared), "l"(from));
  else
    asm volatile("cp.async.ca.shared.global [%0], [%1], %2;" ::"r"(shared), "l"(from), "n"(bytes));
#else
  if constexpr (bytes == 16)
    *static_cast<uint4*>(to) = *static_cast<const uint4*>(from);
  else if constexpr (bytes == 8)
    *static_cast<uint2*>(to) = *static_cast<const uint2*>(from);
  else
    *static_cast<std::uint32_t*>(to) = *static_cast<const std::uint32_t*>(from);
#endif
}
// Ends a group of this thread's copies.
__device__ __forceinline__ void commitCopies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.commit_group;");
#endif
}
// Waits for all groups but the last `pending`.
template <int pending>
__device__ __forceinline__ void waitForGroups() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_group %0;" ::"n"(pending) : "memory");
#endif
}
__device__ __forceinline__ void waitForCopies() {
#if __CUDA_ARCH__ >= 800
  asm volatile("cp.async.wait_all;" ::: "memory");
#endif
}

// Adds two neighbouring complex numbers to global memory; `to` is aligned to 16 bytes.
__device__ __forceinline__ void reduce4(float2* to, float a, float b, float c, float d) {
#if __CUDA_ARCH__ >= 900
  asm volatile("red.relaxed.gpu.global.add.v4.f32 [%0], {%1,%2,%3,%4};" ::"l"(to), "f"(a), "f"(b), "f"(c),
               "f"(d)
               : "memory");
#else
  atomicAdd(&to[0].x, a);
  atomicAdd(&to[0].y, b);
  atomicAdd(&to[1].x, c);
  atomicAdd(&to[1].y, d);
#endif
}

// D += A B, 16 x 16 times 16 x 8, half precision, sums in single; fragments as in the PTX manual.
__device__ __forceinline__ void mmaHalf(float (&d)[4], const std::uint32_t (&a)[4], std::uint32_t b0,
                                        std::uint32_t b1) {
#if __CUDA_ARCH__ >= 800
  asm volatile(
      "mma.sync.aligned.m16n8k16.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
      : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
      : "r"(a[0]), "r"(a[1]), "r"(a[2]), "r"(a[3]), "r"(b0), "r"(b1));
#elif __CUDA_ARCH__ >= 750
  // The two halves of the inner dimension.
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[0]), "r"(a[1]), "r"(b0));
  asm volatile("mma.sync.aligned.m16n8k8.row.col.f32.f16.f16.f32 {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};"
               : "+f"(d[0]), "+f"(d[1]), "+f"(d[2]), "+f"(d[3])
               : "r"(a[2]), "r"(a[3]), "r"(b1));
#else
  __trap();
#endif
}

// D += A B in double precision, 8 x 4 times 4 x 8. Below compute capability 9.0 mmaDouble() is made
// of these: one for rows 0 to 7, one for rows 8 to 15.
__device__ __forceinline__ void mmaDoubleSmall(double& d0, double& d1, double a, double b) {
#if __CUDA_ARCH__ >= 800
  asm volatile("mma.sync.aligned.m8n8k4.row.col.f64.f64.f64.f64 {%0,%1},{%2},{%3},{%0,%1};"
               : "+d"(d0), "+d"(d1)
               : "d"(a), "d"(b));
#else
  __trap();  // not offered below minDoubleProducts
#endif
}
// D += A B in double precision, 16 x K times K x 8 with K = 4 Fours. A lane's fragments: d [4], a
// [2 Fours], b [Fours].
template <int Fours>
__device__ __forceinline__ void mmaDouble(double* d, const double* a, const double* b) {
#if __CUDA_ARCH__ >= 900
  if constexpr (Fours >= 4) {
    asm volatile(
        "mma.sync.aligned.m16n8k16.row.col.f64.f64.f64.f64 "
        "{%0,%1,%2,%3},{%4,%5,%6,%7,%8,%9,%10,%11},{%12,%13,%14,%15},{%0,%1,%2,%3};"
        : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(a[4]), "d"(a[5]), "d"(a[6]), "d"(a[7]), "d"(b[0]),
          "d"(b[1]), "d"(b[2]), "d"(b[3]));
    mmaDouble<Fours - 4>(d, a + 8, b + 4);
  } else if constexpr (Fours >= 2) {
    asm volatile(
        "mma.sync.aligned.m16n8k8.row.col.f64.f64.f64.f64 {%0,%1,%2,%3},{%4,%5,%6,%7},{%8,%9},{%0,%1,%2,%3};"
        : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
        : "d"(a[0]), "d"(a[1]), "d"(a[2]), "d"(a[3]), "d"(b[0]), "d"(b[1]));
    mmaDouble<Fours - 2>(d, a + 4, b + 2);
  } else if constexpr (Fours == 1) {
    asm volatile("mma.sync.aligned.m16n8k4.row.col.f64.f64.f64.f64 {%0,%1,%2,%3},{%4,%5},{%6},{%0,%1,%2,%3};"
                 : "+d"(d[0]), "+d"(d[1]), "+d"(d[2]), "+d"(d[3])
                 : "d"(a[0]), "d"(a[1]), "d"(b[0]));
  }
#else
#pragma unroll
  for (int q = 0; q < Fours; ++q) {
    mmaDoubleSmall(d[0], d[1], a[2 * q], b[q]);
    mmaDoubleSmall(d[2], d[3], a[2 * q + 1], b[q]);
  }
#endif
}

// Adds rows of doubles from shared to global memory without waiting. Where a device cannot,
// hasBulkReduction is false, and callers add number by number.
#if __CUDA_ARCH__ >= 900
#define SPOKELAB_BULK_REDUCTION 1
#else
#define SPOKELAB_BULK_REDUCTION 0
#endif
__device__ constexpr bool hasBulkReduction = SPOKELAB_BULK_REDUCTION == 1;

// bytes: a multiple of 16. The shared memory may change after waitForReductions().
__device__ __forceinline__ void reduceBulk(double2* to, const double* shared, int bytes) {
#if SPOKELAB_BULK_REDUCTION
  const auto from = static_cast<std::uint32_t>(__cvta_generic_to_shared(shared));
  asm volatile("cp.reduce.async.bulk.global.shared::cta.bulk_group.add.f64 [%0], [%1], %2;" ::"l"(to),
               "r"(from), "r"(bytes)
               : "memory");
#endif
}
// Makes this thread's writes to shared memory visible to its bulk reductions.
__device__ __forceinline__ void publishToReductions() {
#if SPOKELAB_BULK_REDUCTION
  asm volatile("fence.proxy.async.shared::cta;" ::: "memory");
#endif
}
__device__ __forceinline__ void commitReductions() {
#if SPOKELAB_BULK_REDUCTION
  asm volatile("cp.async.bulk.commit_group;" ::: "memory");
#endif
}
// Waits until all groups but the last `pending` have read their shared memory.
template <int pending>
__device__ __forceinline__ void waitUntilRead() {
#if SPOKELAB_BULK_REDUCTION
  asm volatile("cp.async.bulk.wait_group.read %0;" ::"n"(pending) : "memory");
#endif
}
__device__ __forceinline__ void waitForReductions() {
#if SPOKELAB_BULK_REDUCTION
  asm volatile("cp.async.bulk.wait_group 0;" ::: "memory");
#endif
}

}  // namespace spokelab::gpu
