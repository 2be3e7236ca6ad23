// FINUFFT (https://github.com/flatironinstitute/finufft) as a plug-in: its CPU library, compiled
// where CMake finds its header and library. Its points are in radians; its order of modes and of
// batches is ours.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <finufft.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#include "engine/nufft/plugin/spokelab_plugin.h"

enum { adjoint_type = 1, forward_type = 2, warning = 1, allocation_failed = 11, max_text = 96 };

// Where the library has finufft_execute_adjoint, the plan of type 2 serves both types.
typedef struct plan {
  int single, dims, both;
  void *forward, *adjoint;  // finufft_plan or finufftf_plan
  double* points[3];        // radians; floats where single
} plan;

static const double two_pi = 6.283185307179586;

// The version, and the size of the library's file: another build is another plug-in to wisdom.
static const char* version(void) {
  static char text[max_text];
  Dl_info library;
  struct stat file;
  snprintf(text, sizeof text, "%s", SPOKELAB_FINUFFT_VERSION);
  if (dladdr((void*)(size_t)&finufft_makeplan, &library) && library.dli_fname &&
      stat(library.dli_fname, &file) == 0)
    snprintf(text, sizeof text, "%s (%lld bytes)", SPOKELAB_FINUFFT_VERSION, (long long)file.st_size);
  return text;
}

const spokelab_plugin_description* spokelab_plugin_describe(const char* file, char* text, size_t text_size) {
  static const double alphas[] = {2, 1.25};
  static spokelab_plugin_description description = {
      .abi = SPOKELAB_PLUGIN_ABI,
      .name = "finufft",
      .license = "Apache-2.0",
      .summary = "Flatiron Institute Nonuniform Fast Fourier Transform",
      .dims = 1 | 2 | 4,
      .precisions = SPOKELAB_PLUGIN_SINGLE | SPOKELAB_PLUGIN_DOUBLE,
      .alphas = alphas,
      .alpha_count = sizeof alphas / sizeof *alphas,
  };
  (void)file;
  (void)text;
  (void)text_size;
  description.version = version();
  return &description;
}

// FINUFFT's code as ours.
static int result(int code, const char* what, char* text, size_t text_size) {
  if (code <= warning) return SPOKELAB_PLUGIN_OK;
  snprintf(text, text_size, "%s returned %d", what, code);
  return code == allocation_failed ? SPOKELAB_PLUGIN_NO_MEMORY : SPOKELAB_PLUGIN_FAILED;
}

static int make(const spokelab_plugin_request* r, int type, void** made) {
  int64_t size[3] = {r->size[0], r->size[1], r->size[2]};
  // Type 1 has the exponent of type 2's adjoint.
  const int sign = type == forward_type ? r->sign : -r->sign;
  finufft_opts options;
  r->precision == SPOKELAB_PLUGIN_SINGLE ? finufftf_default_opts(&options) : finufft_default_opts(&options);
  options.nthreads = r->threads;
  options.showwarn = 0;
#ifdef SPOKELAB_FINUFFT_LEAST_ACCURACY
  options.allow_eps_too_small = 1;  // it may reach the accuracy all the same: the error is measured
#endif
  if (r->alpha > 0) options.upsampfac = r->alpha;
  if (r->precision == SPOKELAB_PLUGIN_SINGLE)
    return finufftf_makeplan(type, r->dims, size, sign, (int)r->batch, (float)r->accuracy, (finufftf_plan*)made,
                             &options);
  return finufft_makeplan(type, r->dims, size, sign, (int)r->batch, r->accuracy, (finufft_plan*)made, &options);
}

int spokelab_plugin_plan(const spokelab_plugin_request* request, void** made, spokelab_plugin_report* report,
                         char* text, size_t text_size) {
  plan* p = calloc(1, sizeof *p);
  if (!p) return SPOKELAB_PLUGIN_NO_MEMORY;
  p->single = request->precision == SPOKELAB_PLUGIN_SINGLE;
  p->dims = request->dims;
#ifdef SPOKELAB_FINUFFT_ADJOINT
  p->both = 1;
#endif
  int code = make(request, forward_type, &p->forward);
  if (code <= warning && !p->both) code = make(request, adjoint_type, &p->adjoint);
  if (code > warning) {
    spokelab_plugin_destroy(p);
    return result(code, "finufft_makeplan", text, text_size);
  }
  report->alpha = request->alpha;
  *made = p;
  return SPOKELAB_PLUGIN_OK;
}

static int set(const plan* p, void* of, int64_t count) {
  if (!of) return 0;
  if (p->single)
    return finufftf_setpts(of, count, (float*)p->points[0], (float*)p->points[1], (float*)p->points[2], 0, NULL,
                           NULL, NULL);
  return finufft_setpts(of, count, p->points[0], p->points[1], p->points[2], 0, NULL, NULL, NULL);
}

int spokelab_plugin_set_points(void* made, int64_t count, const double* x, const double* y, const double* z,
                               char* text, size_t text_size) {
  plan* p = made;
  const double* axes[3] = {x, y, z};
  const size_t number = p->single ? sizeof(float) : sizeof(double);
  for (int d = 0; d < p->dims; ++d) {
    free(p->points[d]);
    p->points[d] = malloc(number * (size_t)(count > 0 ? count : 1));
    if (!p->points[d]) return SPOKELAB_PLUGIN_NO_MEMORY;
    float* const floats = (float*)p->points[d];
    for (int64_t j = 0; j < count; ++j)
      if (p->single)
        floats[j] = (float)(two_pi * axes[d][j]);
      else
        p->points[d][j] = two_pi * axes[d][j];
  }
  int code = set(p, p->forward, count);
  if (code <= warning) code = set(p, p->adjoint, count);
  return result(code, "finufft_setpts", text, text_size);
}

// FINUFFT takes pointers to data that it does not write to as pointers to data that it may.
int spokelab_plugin_execute(void* made, int32_t type, const void* from, void* to, char* text,
                            size_t text_size) {
  const plan* p = made;
  void* const samples = type == forward_type ? to : (void*)(size_t)from;
  void* const images = type == forward_type ? (void*)(size_t)from : to;
  int code = 0;
#ifdef SPOKELAB_FINUFFT_ADJOINT
  if (type == adjoint_type)
    code = p->single ? finufftf_execute_adjoint(p->forward, samples, images)
                     : finufft_execute_adjoint(p->forward, samples, images);
  else
#endif
  {
    void* const of = type == forward_type ? p->forward : p->adjoint;
    code = p->single ? finufftf_execute(of, samples, images) : finufft_execute(of, samples, images);
  }
  return result(code, "finufft_execute", text, text_size);
}

void spokelab_plugin_destroy(void* made) {
  plan* p = made;
  if (!p) return;
  void* const plans[2] = {p->forward, p->adjoint};
  for (int i = 0; i < 2; ++i)
    if (plans[i]) p->single ? finufftf_destroy(plans[i]) : finufft_destroy(plans[i]);
  for (int d = 0; d < 3; ++d) free(p->points[d]);
  free(p);
}
