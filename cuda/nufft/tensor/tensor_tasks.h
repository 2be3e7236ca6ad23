// The columns of sorted points (tensor_sort.h), cut into tasks of about equal cost.
#pragma once

#include <cuda_runtime.h>

#include "cuda/nufft/tensor/tensor_layout.h"

namespace spokelab::gpu {

// A task: the points of one column (tensor_layout.h) in a range of z cells.
struct TensorTask {
  int column;        // cy * columnsX + cx
  int zBegin, zEnd;  // z cells of the task's first and last point, half-open
  int begin, end;    // its points in sorted order
};

// The tasks' room in device memory.
struct TensorTasks {
  TensorTask* tasks;  // [limit]
  int* count;         // number of tasks; the caller sets it to 0 before cutTasks
  int limit;          // tensorTaskLimit()
};

// Upper bound of the tasks that `points` can make.
template <class Real>
int tensorTaskLimit(const TensorLayout<Real>& layout, std::int64_t points);

// Writes the tasks and their number. offsets (device): [layout.sortKeys() + 1], the first point of
// each sort key (column, z cell, class). Does not synchronise.
template <class Real>
void cutTasks(const TensorLayout<Real>& layout, std::int64_t points, const std::uint32_t* offsets,
              const TensorTasks& to, cudaStream_t stream);

}  // namespace spokelab::gpu
