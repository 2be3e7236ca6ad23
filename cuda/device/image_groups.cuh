// Divides the images of a batch into groups for kernels that take several at a time.
#pragma once

#include <type_traits>
#include <utility>

namespace spokelab::gpu {

// Divides a batch into groups of `Together` images, and one smaller group of the images left over.
// Calls run(together, first, groups) once for each of the two sizes that occurs: `groups` groups of
// `together` images (an integral constant), from image `first` on.
template <int Together, class Run>
void forImageGroups(int batch, const Run& run) {
  const int whole = batch / Together, left = batch - whole * Together;
  if (whole > 0) run(std::integral_constant<int, Together>{}, 0, whole);
  [&]<int... N>(std::integer_sequence<int, N...>) {
    ((left == N + 1 ? run(std::integral_constant<int, N + 1>{}, whole * Together, 1) : void()), ...);
  }
  (std::make_integer_sequence<int, Together - 1>{});
}

}  // namespace spokelab::gpu
