// NFFT3 (https://github.com/NFFT/nfft) as a plug-in, compiled where CMake finds its header and
// library: double precision, the window's values of each point and dimension stored (TENSOR in
// [nfft-jl]), FFTW measured. Its first dimension is the slowest; its sizes are even. Both types of
// a plan share one plan of NFFT3, which is made for a number of points.
#include <math.h>
#include <nfft3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "engine/nufft/plugin/spokelab_plugin.h"

enum { adjoint_type = 1, max_text = 64, max_half_width = 12 };

typedef struct plan {
  spokelab_plugin_request request;
  int size[3], grid[3], half_width;  // slowest dimension first
  int64_t count;
  int made;
  nfft_plan nfft;
  double* x;
} plan;

const spokelab_plugin_description* spokelab_plugin_describe(const char* file, char* text, size_t text_size) {
  static const double alphas[] = {2};
  static char version[max_text];
  static spokelab_plugin_description description = {
      .abi = SPOKELAB_PLUGIN_ABI,
      .name = "nfft3",
      .version = version,
      .license = "GPL-2.0-or-later",
      .summary = "NFFT3 of Chemnitz University of Technology",
      .dims = 1 | 2 | 4,
      .precisions = SPOKELAB_PLUGIN_DOUBLE,
      .alphas = alphas,
      .alpha_count = sizeof alphas / sizeof *alphas,
  };
  unsigned major = 0, minor = 0, patch = 0;
  (void)file;
  (void)text;
  (void)text_size;
  nfft_get_version(&major, &minor, &patch);
  snprintf(version, sizeof version, "%u.%u.%u %s", major, minor, patch, nfft_get_window_name());
  return &description;
}

// The smallest even number of at least n cells without prime factors above 5.
static int even_fast(int n) {
  for (n += n % 2;; n += 2) {
    int rest = n;
    for (int p = 2; p <= 5; ++p)
      while (rest % p == 0) rest /= p;
    if (rest == 1) return n;
  }
}

int spokelab_plugin_plan(const spokelab_plugin_request* request, void** made, spokelab_plugin_report* report,
                         char* text, size_t text_size) {
  const double alpha = request->alpha > 0 ? request->alpha : 2;
  // A window of 2m cells at a ratio of 2 errs by about 10^(1 - 2m); a smaller ratio needs more.
  const double cells = (1 - log10(request->accuracy)) * sqrt(0.5 / (1 - 1 / alpha));
  const int half_width = (int)fmax(2, ceil(0.5 * cells));
  if (half_width > max_half_width) {
    snprintf(text, text_size, "a window of half width %d is more than double precision can use", half_width);
    return SPOKELAB_PLUGIN_UNSUPPORTED;
  }
  plan* p = calloc(1, sizeof *p);
  if (!p) return SPOKELAB_PLUGIN_NO_MEMORY;
  p->request = *request;
  p->half_width = half_width;
  int64_t total = 1;
  for (int d = 0; d < request->dims; ++d) {
    const int slowest_first = request->dims - 1 - d;
    const int64_t n = request->size[d];
    const char* why = NULL;
    if (n % 2) why = "its sizes are even";
    if (n > 1 << 20) why = "its sizes are at most 1048576";
    if (why) {
      snprintf(text, text_size, "%s, not %lld", why, (long long)n);
      free(p);
      return SPOKELAB_PLUGIN_UNSUPPORTED;
    }
    p->size[slowest_first] = (int)n;
    p->grid[slowest_first] = even_fast((int)fmax(ceil(alpha * (double)n), 2.0 * half_width + 4));
    report->grid[d] = p->grid[slowest_first];
    total *= p->grid[slowest_first];
  }
  report->alpha = alpha;
  report->width = 2 * half_width + 2;  // the points that it takes
  report->memory = 2 * total * (int64_t)sizeof(fftw_complex);
  *made = p;
  return SPOKELAB_PLUGIN_OK;
}

static void forget(plan* p) {
  if (p->made) nfft_finalize(&p->nfft);
  p->made = 0;
  free(p->x);
  p->x = NULL;
}

int spokelab_plugin_set_points(void* made, int64_t count, const double* x, const double* y, const double* z,
                               char* text, size_t text_size) {
  plan* p = made;
  const int dims = p->request.dims;
  const double* const axes[3] = {x, y, z};
  forget(p);
  p->count = count;
  if (count == 0) return SPOKELAB_PLUGIN_OK;
  if (count > 1 << 30) {
    snprintf(text, text_size, "it takes at most 1073741824 points");
    return SPOKELAB_PLUGIN_UNSUPPORTED;
  }
  p->x = malloc(sizeof(double) * (size_t)(count * dims));
  if (!p->x) return SPOKELAB_PLUGIN_NO_MEMORY;
  // Its exponent is -2 pi i; it takes -1/2, and not 1/2.
  const double sign = p->request.sign > 0 ? -1 : 1;
  for (int d = 0; d < dims; ++d)
    for (int64_t j = 0; j < count; ++j) {
      const double k = sign * axes[d][j];
      p->x[j * dims + dims - 1 - d] = k >= 0.5 ? k - 1 : k;
    }
#ifdef SPOKELAB_NFFT3_THREADS
  nfft_set_num_threads(p->request.threads);
#endif
  nfft_init_guru(
      &p->nfft, dims, p->size, (int)count, p->grid, p->half_width,
      PRE_PHI_HUT | PRE_PSI | FFTW_INIT | FFT_OUT_OF_PLACE | NFFT_SORT_NODES | NFFT_OMP_BLOCKWISE_ADJOINT,
      FFTW_MEASURE | FFTW_DESTROY_INPUT);
  p->made = 1;
  p->nfft.x = p->x;
  nfft_precompute_one_psi(&p->nfft);
  return SPOKELAB_PLUGIN_OK;
}

int spokelab_plugin_execute(void* made, int32_t type, const void* from, void* to, char* text,
                            size_t text_size) {
  plan* p = made;
  int64_t pixels = 1;
  (void)text;
  (void)text_size;
  for (int d = 0; d < p->request.dims; ++d) pixels *= p->size[d];
  if (p->count == 0) {
    if (type == adjoint_type) memset(to, 0, sizeof(fftw_complex) * (size_t)(pixels * p->request.batch));
    return SPOKELAB_PLUGIN_OK;
  }
#ifdef SPOKELAB_NFFT3_THREADS
  nfft_set_num_threads(p->request.threads);
#endif
  for (int64_t b = 0; b < p->request.batch; ++b) {
    // NFFT3 takes pointers to data that it does not write to as pointers to data that it may.
    const int adjoint = type == adjoint_type;
    void* const images = adjoint ? to : (void*)(size_t)from;
    void* const samples = adjoint ? (void*)(size_t)from : to;
    p->nfft.f_hat = (fftw_complex*)images + b * pixels;
    p->nfft.f = (fftw_complex*)samples + b * p->count;
    adjoint ? nfft_adjoint(&p->nfft) : nfft_trafo(&p->nfft);
  }
  return SPOKELAB_PLUGIN_OK;
}

void spokelab_plugin_destroy(void* made) {
  if (!made) return;
  forget(made);
  free(made);
}
