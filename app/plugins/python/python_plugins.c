// Serves plug-ins that are written in Python: each file has an interpreter (python_host.h). Calls of
// one file's plans wait for each other.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/plugins/python/python_host.h"
#include "engine/nufft/plugin/spokelab_plugin.h"

typedef struct plan {
  python_host* of;
  int64_t id, points, batch, pixels;
  int dims;
  size_t number;  // bytes of a complex number
} plan;

enum { max_alphas = 8 };

typedef struct description {
  spokelab_plugin_description told;
  double alphas[max_alphas];
} description;

static int take_description(python_host* h, char* text, size_t text_size) {
  enum { fields = 7, texts = 4 };
  char *field[fields] = {NULL}, *copy[texts], *alphas, *number;
  int code = host_fields(h, fields, field, text, text_size);
  if (code != host_ok) return code;
  description* kept = calloc(1, sizeof *kept);
  if (!kept) return host_lacks_memory(text, text_size);
  code = host_copies(texts, field, copy, text, text_size);
  if (code != host_ok) {
    free(kept);
    return code;
  }
  spokelab_plugin_description* d = &kept->told;
  d->abi = SPOKELAB_PLUGIN_ABI;
  d->name = copy[0];
  d->version = copy[1];
  d->license = copy[2];
  d->summary = copy[3];
  d->dims = (uint32_t)strtoul(field[4], NULL, 10);
  d->precisions = (uint32_t)strtoul(field[5], NULL, 10);
  alphas = field[6];
  while (d->alpha_count < max_alphas && (number = strsep(&alphas, ",")))
    if (*number) kept->alphas[d->alpha_count++] = strtod(number, NULL);
  d->alphas = kept->alphas;
  h->description = kept;
  return SPOKELAB_PLUGIN_OK;
}

const spokelab_plugin_description* spokelab_plugin_describe(const char* file, char* text, size_t text_size) {
  pthread_mutex_lock(&python_lock);
  python_host* h = host_of(file);
  if (!h && (h = host_start(file, text, text_size))) {
    if (host_ask(h, "describe\n", text, text_size) == host_ok &&
        take_description(h, text, text_size) == SPOKELAB_PLUGIN_OK) {
      host_keep(h);
    } else {
      host_stop(h);
      h = NULL;
    }
  }
  pthread_mutex_unlock(&python_lock);
  return h ? &((description*)h->description)->told : NULL;
}

int spokelab_plugin_plan(const spokelab_plugin_request* r, void** made, spokelab_plugin_report* report,
                         char* text, size_t text_size) {
  char line[max_line];
  plan* p = calloc(1, sizeof *p);
  if (!p) return host_lacks_memory(text, text_size);
  pthread_mutex_lock(&python_lock);
  int code = SPOKELAB_PLUGIN_FAILED;
  p->of = host_of(r->file);
  if (p->of) {
    p->id = ++p->of->plans;
    snprintf(line, sizeof line, "plan %lld %d %lld %lld %lld %d %d %lld %.17g %.17g %d\n", (long long)p->id, r->dims,
             (long long)r->size[0], (long long)r->size[1], (long long)r->size[2], r->precision, r->sign,
             (long long)r->batch, r->accuracy, r->alpha, r->threads);
    code = host_ask(p->of, line, text, text_size);
  } else {
    host_fail(text, text_size, "it was not described before");
  }
  if (code == SPOKELAB_PLUGIN_OK) {
    long long grid[3] = {0, 0, 0}, memory = 0;
    sscanf(p->of->words, "ok %lf %lf %lld %lld %lld %lld", &report->alpha, &report->width, &grid[0], &grid[1],
           &grid[2], &memory);
    for (int d = 0; d < 3; ++d) report->grid[d] = grid[d];
    report->memory = memory;
    p->dims = r->dims;
    p->batch = r->batch;
    p->pixels = r->size[0] * r->size[1] * r->size[2];
    p->number = r->precision == SPOKELAB_PLUGIN_SINGLE ? 2 * sizeof(float) : 2 * sizeof(double);
    *made = p;
  } else {
    free(p);
  }
  pthread_mutex_unlock(&python_lock);
  return code;
}

int spokelab_plugin_set_points(void* made, int64_t count, const double* x, const double* y, const double* z,
                               char* text, size_t text_size) {
  plan* p = made;
  const double* axes[3] = {x, y, z};
  char line[max_line];
  const size_t bytes = sizeof(double) * (size_t)count;
  pthread_mutex_lock(&python_lock);
  int code = host_reserve(p->of, (size_t)p->dims * bytes + 1, text, text_size);
  if (code == SPOKELAB_PLUGIN_OK) {
    for (int d = 0; d < p->dims; ++d)
      if (bytes > 0) memcpy((char*)p->of->shared + (size_t)d * bytes, axes[d], bytes);
    snprintf(line, sizeof line, "points %lld %lld\n", (long long)p->id, (long long)count);
    code = host_ask(p->of, line, text, text_size);
  }
  p->points = code == SPOKELAB_PLUGIN_OK ? count : 0;
  pthread_mutex_unlock(&python_lock);
  return code;
}

int spokelab_plugin_execute(void* made, int32_t type, const void* from, void* to, char* text,
                            size_t text_size) {
  plan* p = made;
  char line[max_line];
  const size_t images = p->number * (size_t)(p->batch * p->pixels),
               samples = p->number * (size_t)(p->batch * p->points);
  const size_t in = type == 1 ? samples : images, out = type == 1 ? images : samples;
  pthread_mutex_lock(&python_lock);
  int code = host_reserve(p->of, in + out, text, text_size);
  if (code == SPOKELAB_PLUGIN_OK) {
    memcpy(p->of->shared, from, in);
    snprintf(line, sizeof line, "execute %lld %d\n", (long long)p->id, type);
    code = host_ask(p->of, line, text, text_size);
  }
  if (code == SPOKELAB_PLUGIN_OK) memcpy(to, (const char*)p->of->shared + in, out);
  pthread_mutex_unlock(&python_lock);
  return code;
}

void spokelab_plugin_destroy(void* made) {
  plan* p = made;
  char line[max_line], text[max_line];
  if (!p) return;
  pthread_mutex_lock(&python_lock);
  snprintf(line, sizeof line, "destroy %lld\n", (long long)p->id);
  host_ask(p->of, line, text, sizeof text);
  pthread_mutex_unlock(&python_lock);
  free(p);
}
