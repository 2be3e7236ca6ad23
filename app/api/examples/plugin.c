// A plug-in in C: the exact sums, term by term. It is slow, and as accurate as double precision.
//   cc -std=c99 -O2 -shared -fPIC plugin.c -o exact-sum.so -lm      with spokelab_plugin.h found
//   mkdir -p ~/.local/share/spokelab/plugins && cp exact-sum.so ~/.local/share/spokelab/plugins
//   spokelab-cli plugins
#include <math.h>
#include <spokelab_plugin.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct plan {
  spokelab_plugin_request request;
  int64_t points;
  double* k[3];  // own copies: the caller's arrays would do until points are set again
} plan;

static const double two_pi = 6.283185307179586;

const spokelab_plugin_description* spokelab_plugin_describe(const char* file, char* text, size_t text_size) {
  static const spokelab_plugin_description description = {
      .abi = SPOKELAB_PLUGIN_ABI,
      .name = "exact-sum",
      .version = "1.0",
      .license = "MIT",
      .summary = "exact sums, term by term",
      .dims = 1 | 2 | 4,
      .precisions = SPOKELAB_PLUGIN_SINGLE | SPOKELAB_PLUGIN_DOUBLE,
  };
  (void)file;
  (void)text;
  (void)text_size;
  return &description;
}

int spokelab_plugin_plan(const spokelab_plugin_request* request, void** made, spokelab_plugin_report* report,
                         char* text, size_t text_size) {
  plan* p = calloc(1, sizeof *p);
  if (!p) {
    snprintf(text, text_size, "there is no memory for a plan");
    return SPOKELAB_PLUGIN_NO_MEMORY;
  }
  p->request = *request;
  report->memory = (int64_t)sizeof *p;
  *made = p;
  return SPOKELAB_PLUGIN_OK;
}

int spokelab_plugin_set_points(void* made, int64_t count, const double* x, const double* y, const double* z,
                               char* text, size_t text_size) {
  plan* p = made;
  const double* axes[3] = {x, y, z};
  p->points = 0;
  for (int d = 0; d < p->request.dims; ++d) {
    free(p->k[d]);
    p->k[d] = malloc(sizeof(double) * (size_t)(count > 0 ? count : 1));
    if (!p->k[d]) {
      snprintf(text, text_size, "there is no memory for %lld points", (long long)count);
      return SPOKELAB_PLUGIN_NO_MEMORY;
    }
    if (count > 0) memcpy(p->k[d], axes[d], sizeof(double) * (size_t)count);
  }
  p->points = count;
  return SPOKELAB_PLUGIN_OK;
}

static double part(const plan* p, const void* values, int64_t i) {
  return p->request.precision == SPOKELAB_PLUGIN_SINGLE ? (double)((const float*)values)[i]
                                                        : ((const double*)values)[i];
}

static void store(const plan* p, void* values, int64_t i, double value) {
  if (p->request.precision == SPOKELAB_PLUGIN_SINGLE)
    ((float*)values)[i] = (float)value;
  else
    ((double*)values)[i] = value;
}

// n . k of a pixel, by its index, and a point.
static double turns(const plan* p, int64_t pixel, int64_t point) {
  double sum = 0;
  for (int d = 0; d < p->request.dims; ++d) {
    const int64_t size = p->request.size[d];
    sum += (double)(pixel % size - size / 2) * p->k[d][point];
    pixel /= size;
  }
  return sum - floor(sum);
}

int spokelab_plugin_execute(void* made, int32_t type, const void* from, void* to, char* text,
                            size_t text_size) {
  const plan* p = made;
  const int64_t pixels = p->request.size[0] * p->request.size[1] * p->request.size[2];
  const int64_t inputs = type == 1 ? p->points : pixels, outputs = type == 1 ? pixels : p->points;
  const double sign = type == 1 ? -p->request.sign : p->request.sign;
  (void)text;
  (void)text_size;
  for (int64_t b = 0; b < p->request.batch; ++b)
    for (int64_t o = 0; o < outputs; ++o) {
      double real = 0, imaginary = 0;
      for (int64_t i = 0; i < inputs; ++i) {
        const double angle = sign * two_pi * (type == 1 ? turns(p, o, i) : turns(p, i, o));
        const double c = cos(angle), s = sin(angle);
        const double re = part(p, from, 2 * (b * inputs + i)), im = part(p, from, 2 * (b * inputs + i) + 1);
        real += re * c - im * s;
        imaginary += re * s + im * c;
      }
      store(p, to, 2 * (b * outputs + o), real);
      store(p, to, 2 * (b * outputs + o) + 1, imaginary);
    }
  return SPOKELAB_PLUGIN_OK;
}

void spokelab_plugin_destroy(void* made) {
  plan* p = made;
  if (!p) return;
  for (int d = 0; d < 3; ++d) free(p->k[d]);
  free(p);
}
