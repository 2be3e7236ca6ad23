// A plug-in on a GPU: the exact sums, one thread an output, of arrays in the GPU's memory. FAULT 1
// reads its points as if they were the host's.
#include <cuda_runtime.h>
#include <spokelab_plugin.h>

#include <cstdio>
#include <new>

namespace {

struct Plan {
  spokelab_plugin_request request;
  long long points;
  const double* k[3];  // the caller's: they last until points are set again
};

struct Sums {
  long long size[3], pixels, points;
  const double* k[3];
  int dims;
  double sign;
  bool adjoint;
};

// n . k of a pixel, by its index, and a point.
__device__ double turns(const Sums& s, long long pixel, long long point) {
  double sum = 0;
  for (int d = 0; d < s.dims; ++d) {
    sum += double(pixel % s.size[d] - s.size[d] / 2) * s.k[d][point];
    pixel /= s.size[d];
  }
  return sum - floor(sum);
}

template <class Complex>
__global__ void sumKernel(Sums s, const Complex* from, Complex* to, long long batch) {
  const long long inputs = s.adjoint ? s.points : s.pixels, outputs = s.adjoint ? s.pixels : s.points;
  const long long i = (long long)blockIdx.x * blockDim.x + threadIdx.x;
  if (i >= batch * outputs) return;
  const long long b = i / outputs, o = i % outputs;
  double re = 0, im = 0;
  for (long long j = 0; j < inputs; ++j) {
    double sine, cosine;
    sincospi(2 * s.sign * (s.adjoint ? turns(s, o, j) : turns(s, j, o)), &sine, &cosine);
    const Complex v = from[b * inputs + j];
    re += v.x * cosine - v.y * sine;
    im += v.x * sine + v.y * cosine;
  }
  to[i].x = re;
  to[i].y = im;
}

int told(cudaError_t code, char* text, size_t text_size) {
  if (code == cudaSuccess) return SPOKELAB_PLUGIN_OK;
  std::snprintf(text, text_size, "%s", cudaGetErrorString(code));
  return SPOKELAB_PLUGIN_FAILED;
}

}  // namespace

const spokelab_plugin_description* spokelab_plugin_describe(const char*, char*, size_t) {
  static const spokelab_plugin_description description = {SPOKELAB_PLUGIN_ABI,
                                                          FAULT ? "device-careless" : "device-sum",
                                                          "1.0",
                                                          "MIT",
                                                          "exact sums on a GPU",
                                                          1 | 2 | 4,
                                                          SPOKELAB_PLUGIN_SINGLE | SPOKELAB_PLUGIN_DOUBLE,
                                                          nullptr,
                                                          0,
                                                          SPOKELAB_PLUGIN_CUDA};
  return &description;
}

int spokelab_plugin_plan(const spokelab_plugin_request* request, void** plan, spokelab_plugin_report*, char*,
                         size_t) {
  if (request->memory != SPOKELAB_PLUGIN_CUDA) return SPOKELAB_PLUGIN_UNSUPPORTED;
  Plan* const made = new (std::nothrow) Plan{*request, 0, {}};
  *plan = made;
  return made ? SPOKELAB_PLUGIN_OK : SPOKELAB_PLUGIN_NO_MEMORY;
}

int spokelab_plugin_set_points(void* plan, int64_t count, const double* x, const double* y, const double* z,
                               char* text, size_t text_size) {
  Plan& p = *static_cast<Plan*>(plan);
#if FAULT == 1
  double sum = 0;
  for (int64_t j = 0; j < count; ++j) sum += x[j];
  std::snprintf(text, text_size, "%g", sum);
#endif
  static_cast<void>(text);
  static_cast<void>(text_size);
  p.points = count;
  p.k[0] = x;
  p.k[1] = y;
  p.k[2] = z;
  return SPOKELAB_PLUGIN_OK;
}

int spokelab_plugin_execute(void* plan, int32_t type, const void* from, void* to, char* text,
                            size_t text_size) {
  const Plan& p = *static_cast<Plan*>(plan);
  const spokelab_plugin_request& r = p.request;
  const bool adjoint = type == 1;
  const Sums sums = {{r.size[0], r.size[1], r.size[2]},
                     r.size[0] * r.size[1] * r.size[2],
                     p.points,
                     {p.k[0], p.k[1], p.k[2]},
                     r.dims,
                     double(adjoint ? -r.sign : r.sign),
                     adjoint};
  constexpr long long threads = 128;
  const long long all = r.batch * (adjoint ? sums.pixels : sums.points);
  const auto blocks = unsigned((all + threads - 1) / threads);
  const auto stream = static_cast<cudaStream_t>(r.stream);
  if (r.precision == SPOKELAB_PLUGIN_SINGLE)
    sumKernel<<<blocks, threads, 0, stream>>>(sums, static_cast<const float2*>(from),
                                              static_cast<float2*>(to), r.batch);
  else
    sumKernel<<<blocks, threads, 0, stream>>>(sums, static_cast<const double2*>(from),
                                              static_cast<double2*>(to), r.batch);
  return told(cudaGetLastError(), text, text_size);
}

void spokelab_plugin_destroy(void* plan) {
  delete static_cast<Plan*>(plan);
}
