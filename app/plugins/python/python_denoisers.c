// Serves denoisers that are written in Python (spokelab_denoiser.h), as python_plugins.c serves
// transforms.
#define _GNU_SOURCE
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "app/plugins/python/python_host.h"
#include "engine/recon/functional/denoiser/spokelab_denoiser.h"

typedef struct denoiser_plan {
  python_host* of;
  spokelab_denoiser_request request;
  size_t bytes;  // of all images
} denoiser_plan;

static int take_description(python_host* h, char* text, size_t text_size) {
  enum { fields = 5, texts = 4 };
  char *field[fields] = {NULL}, *copy[texts];
  int code = host_fields(h, fields, field, text, text_size);
  if (code != host_ok) return code;
  spokelab_denoiser_description* d = calloc(1, sizeof *d);
  if (!d) return host_lacks_memory(text, text_size);
  code = host_copies(texts, field, copy, text, text_size);
  if (code != host_ok) {
    free(d);
    return code;
  }
  d->abi = SPOKELAB_DENOISER_ABI;
  d->name = copy[0];
  d->version = copy[1];
  d->license = copy[2];
  d->summary = copy[3];
  d->dims = (uint32_t)strtoul(field[4], NULL, 10);
  h->description = d;
  return host_ok;
}

const spokelab_denoiser_description* spokelab_denoiser_describe(const char* file, char* text,
                                                                size_t text_size) {
  pthread_mutex_lock(&python_lock);
  python_host* h = host_of(file);
  if (!h && (h = host_start(file, text, text_size))) {
    if (host_ask(h, "describe_denoiser\n", text, text_size) == host_ok &&
        take_description(h, text, text_size) == host_ok) {
      host_keep(h);
    } else {
      host_stop(h);
      h = NULL;
    }
  }
  pthread_mutex_unlock(&python_lock);
  return h ? h->description : NULL;
}

int spokelab_denoiser_plan(const spokelab_denoiser_request* request, void** made, char* text,
                           size_t text_size) {
  const int64_t* n = request->size;
  denoiser_plan* p = calloc(1, sizeof *p);
  if (!p) return host_lacks_memory(text, text_size);
  pthread_mutex_lock(&python_lock);
  p->of = host_of(request->file);
  p->request = *request;
  p->bytes = 2 * sizeof(float) * (size_t)(request->images * n[0] * n[1] * n[2]);
  pthread_mutex_unlock(&python_lock);
  if (!p->of) {
    free(p);
    return host_fail(text, text_size, "it was not described before");
  }
  *made = p;
  return SPOKELAB_DENOISER_OK;
}

int spokelab_denoiser_apply(void* made, double strength, float* images, double* value, char* text,
                            size_t text_size) {
  denoiser_plan* p = made;
  const int64_t* n = p->request.size;
  char line[max_line];
  pthread_mutex_lock(&python_lock);
  int code = host_reserve(p->of, p->bytes, text, text_size);
  if (code == host_ok) {
    memcpy(p->of->shared, images, p->bytes);
    snprintf(line, sizeof line, "denoise %lld %d %lld %lld %lld %.17g\n", (long long)p->request.images,
             p->request.dims, (long long)n[0], (long long)n[1], (long long)n[2], strength);
    code = host_ask(p->of, line, text, text_size);
  }
  if (code == host_ok) {
    memcpy(images, p->of->shared, p->bytes);
    *value = strtod(p->of->words + 3, NULL);
  }
  pthread_mutex_unlock(&python_lock);
  return code;
}

void spokelab_denoiser_destroy(void* made) {
  free(made);
}
