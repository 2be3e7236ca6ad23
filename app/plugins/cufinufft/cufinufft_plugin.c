// cuFINUFFT, FINUFFT's GPU library (https://github.com/flatironinstitute/finufft), as a plug-in:
// compiled where CMake finds its header and library, and CUDA. A plan is made for each direction.
// Arrays in host memory go to the GPU and back in every call.
#define _GNU_SOURCE
#include <cuda_runtime_api.h>
#include <cufinufft.h>
#include <dlfcn.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/stat.h>

#include "engine/nufft/plugin/spokelab_plugin.h"

// radians.cu
cudaError_t radians_of(const double* cycles, void* to, int single, size_t count, cudaStream_t stream);

enum { adjoint_type = 1, forward_type = 2, types = 2, warning = 1, max_text = 192 };

typedef struct plan {
  int single, dims, on_device;
  cudaStream_t stream;  // of arrays on the device, else the default stream
  size_t pixels, count, batch;
  void* of[types];  // cufinufft_plan or cufinufftf_plan: type 1, type 2
  void* points[3];  // device, radians; floats where single
  double* cycles;   // device: one axis of points from the host
  void *samples, *images;  // device: copies of arrays in host memory
} plan;

// The library's version and the size of its file: another build is another plug-in to wisdom.
static const char* version(void) {
  static char text[max_text];
  Dl_info library;
  struct stat file;
  snprintf(text, sizeof text, "%s", SPOKELAB_CUFINUFFT_VERSION);
  if (dladdr((void*)(size_t)&cufinufft_makeplan, &library) && library.dli_fname &&
      stat(library.dli_fname, &file) == 0)
    snprintf(text, sizeof text, "%s (%lld bytes)", SPOKELAB_CUFINUFFT_VERSION, (long long)file.st_size);
  return text;
}

const spokelab_plugin_description* spokelab_plugin_describe(const char* file, char* text, size_t text_size) {
  static const double alphas[] = {2, 1.25};
  static spokelab_plugin_description description = {
      .abi = SPOKELAB_PLUGIN_ABI,
      .name = "cufinufft",
      .license = "Apache-2.0",
      .summary = "Flatiron Institute Nonuniform Fast Fourier Transform on the GPU",
      .dims = 1 | 2 | 4,
      .precisions = SPOKELAB_PLUGIN_SINGLE | SPOKELAB_PLUGIN_DOUBLE,
      .alphas = alphas,
      .alpha_count = sizeof alphas / sizeof *alphas,
      .memories = SPOKELAB_PLUGIN_HOST | SPOKELAB_PLUGIN_CUDA,
  };
  int devices = 0;
  const cudaError_t code = cudaGetDeviceCount(&devices);
  (void)file;
  if (code != cudaSuccess || devices == 0) {
    snprintf(text, text_size, "there is no GPU that it could use (%s)", cudaGetErrorString(code));
    return NULL;
  }
  description.version = version();
  return &description;
}

// It warns where the accuracy is beyond the precision: the error is measured anyway.
static int result(int code, const char* what, char* text, size_t text_size) {
  if (code <= warning) return SPOKELAB_PLUGIN_OK;
  snprintf(text, text_size, "%s returned %d", what, code);
  return SPOKELAB_PLUGIN_FAILED;
}

static int cuda(cudaError_t code, const char* what, char* text, size_t text_size) {
  if (code == cudaSuccess) return SPOKELAB_PLUGIN_OK;
  snprintf(text, text_size, "%s: %s", what, cudaGetErrorString(code));
  return code == cudaErrorMemoryAllocation ? SPOKELAB_PLUGIN_NO_MEMORY : SPOKELAB_PLUGIN_FAILED;
}

// Memory for so many bytes in place of what *memory was.
static cudaError_t renew(void** memory, size_t bytes) {
  cudaFree(*memory);
  *memory = NULL;
  return cudaMalloc(memory, bytes > 0 ? bytes : 1);
}

static size_t number_bytes(const plan* p) {
  return p->single ? sizeof(float) : sizeof(double);
}

static int make(const spokelab_plugin_request* r, int type, void** made) {
  int64_t size[3] = {r->size[0], r->size[1], r->size[2]};
  // Type 1 has the exponent of type 2's adjoint.
  const int sign = type == forward_type ? r->sign : -r->sign;
  cufinufft_opts options;
  cufinufft_default_opts(&options);
  if (r->alpha > 0) options.upsampfac = r->alpha;
  options.gpu_device_id = r->device;
  options.gpu_stream = (cudaStream_t)r->stream;
  if (r->precision == SPOKELAB_PLUGIN_SINGLE)
    return cufinufftf_makeplan(type, r->dims, size, sign, (int)r->batch, (float)r->accuracy,
                               (cufinufftf_plan*)made, &options);
  return cufinufft_makeplan(type, r->dims, size, sign, (int)r->batch, r->accuracy, (cufinufft_plan*)made,
                            &options);
}

int spokelab_plugin_plan(const spokelab_plugin_request* request, void** made, spokelab_plugin_report* report,
                         char* text, size_t text_size) {
  plan* p = calloc(1, sizeof *p);
  if (!p) return SPOKELAB_PLUGIN_NO_MEMORY;
  p->single = request->precision == SPOKELAB_PLUGIN_SINGLE;
  p->dims = request->dims;
  p->on_device = request->memory == SPOKELAB_PLUGIN_CUDA;
  p->stream = (cudaStream_t)request->stream;
  p->batch = (size_t)request->batch;
  p->pixels = p->batch;
  for (int d = 0; d < p->dims; ++d) p->pixels *= (size_t)request->size[d];
  int code = SPOKELAB_PLUGIN_OK;
  if (!p->on_device)
    code = cuda(renew(&p->images, 2 * number_bytes(p) * p->pixels), "memory for images", text, text_size);
  for (int type = adjoint_type; type <= types && code == SPOKELAB_PLUGIN_OK; ++type)
    code = result(make(request, type, &p->of[type - 1]), "cufinufft_makeplan", text, text_size);
  if (code != SPOKELAB_PLUGIN_OK) {
    spokelab_plugin_destroy(p);
    return code;
  }
  report->alpha = request->alpha;
  *made = p;
  return SPOKELAB_PLUGIN_OK;
}

// One axis in radians, on the device. cycles: where the plan's arrays are.
static int set_axis(plan* p, int d, const double* cycles, char* text, size_t text_size) {
  const size_t bytes = sizeof(double) * p->count;
  cudaError_t code = renew(&p->points[d], number_bytes(p) * p->count);
  if (code == cudaSuccess && !p->on_device) {
    code = renew((void**)&p->cycles, bytes);
    if (code == cudaSuccess)
      code = cudaMemcpyAsync(p->cycles, cycles, bytes, cudaMemcpyHostToDevice, p->stream);
    cycles = p->cycles;
  }
  if (code == cudaSuccess) code = radians_of(cycles, p->points[d], p->single, p->count, p->stream);
  return cuda(code, "copying points", text, text_size);
}

int spokelab_plugin_set_points(void* made, int64_t count, const double* x, const double* y, const double* z,
                               char* text, size_t text_size) {
  plan* p = made;
  const double* axes[3] = {x, y, z};
  p->count = (size_t)count;
  int code = SPOKELAB_PLUGIN_OK;
  if (!p->on_device)
    code = cuda(renew(&p->samples, 2 * number_bytes(p) * p->batch * p->count), "memory for samples", text,
                text_size);
  for (int d = 0; d < p->dims && code == SPOKELAB_PLUGIN_OK; ++d)
    code = set_axis(p, d, axes[d], text, text_size);
  for (int t = 0; t < types && code == SPOKELAB_PLUGIN_OK; ++t) {
    void** const k = p->points;
    code = result(p->single ? cufinufftf_setpts(p->of[t], count, k[0], k[1], k[2], 0, NULL, NULL, NULL)
                            : cufinufft_setpts(p->of[t], count, k[0], k[1], k[2], 0, NULL, NULL, NULL),
                  "cufinufft_setpts", text, text_size);
  }
  return code;
}

static int execute_there(const plan* p, int type, void* samples, void* images, char* text, size_t text_size) {
  return result(p->single ? cufinufftf_execute(p->of[type - 1], samples, images)
                          : cufinufft_execute(p->of[type - 1], samples, images),
                "cufinufft_execute", text, text_size);
}

int spokelab_plugin_execute(void* made, int32_t type, const void* from, void* to, char* text,
                            size_t text_size) {
  const plan* p = made;
  const int forward = type == forward_type;
  if (p->on_device) {  // the library's arrays are not const, but types 1 and 2 only read the one they take
    void* const input = (void*)(size_t)from;
    return execute_there(p, type, forward ? to : input, forward ? input : to, text, text_size);
  }
  const size_t image_bytes = 2 * number_bytes(p) * p->pixels,
               sample_bytes = 2 * number_bytes(p) * p->batch * p->count;
  int code = cuda(cudaMemcpy(forward ? p->images : p->samples, from, forward ? image_bytes : sample_bytes,
                             cudaMemcpyHostToDevice),
                  "copying to the GPU", text, text_size);
  if (code == SPOKELAB_PLUGIN_OK) code = execute_there(p, type, p->samples, p->images, text, text_size);
  if (code != SPOKELAB_PLUGIN_OK) return code;
  return cuda(cudaMemcpy(to, forward ? p->samples : p->images, forward ? sample_bytes : image_bytes,
                         cudaMemcpyDeviceToHost),
              "copying from the GPU", text, text_size);
}

void spokelab_plugin_destroy(void* made) {
  plan* p = made;
  if (!p) return;
  for (int t = 0; t < types; ++t)
    if (p->of[t]) p->single ? cufinufftf_destroy(p->of[t]) : cufinufft_destroy(p->of[t]);
  for (int d = 0; d < 3; ++d) cudaFree(p->points[d]);
  cudaFree(p->cycles);
  cudaFree(p->samples);
  cudaFree(p->images);
  free(p);
}
