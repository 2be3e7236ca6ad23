// Plug-ins that do what none may. FAULT chooses what; all else would be in order.
#define _DEFAULT_SOURCE
#include <signal.h>
#include <spokelab_plugin.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
  ABORTS = 1,         // in execute
  LOOPS = 2,          // in set points
  NOISE = 3,          // random numbers as results
  OTHER_ABI = 4,      // made for another version of the interface
  CRASHES_EARLY = 5,  // when it is described
  SAYS_NO = 6,        // refuses every plan, with a reason
  LEAVES = 7,         // ends the process in plan
  BAD_NAME = 8,       // calls itself cpu
  ZERO_BATCH = 9,     // the exact sums of a batch of one, nothing for further images
  SLOW = 10,          // takes most of the time that a step may take, again and again
  CARELESS = 11,      // the exact sums, off by twice the error that it was asked for
  BART = 12           // nothing: the exact sums under the name of the studies' baseline
};

#define WITH_EXACT_SUMS (FAULT == 9 || FAULT == 11 || FAULT == 12)
#if WITH_EXACT_SUMS
#define spokelab_plugin_describe exact_describe
#define spokelab_plugin_execute exact_execute
#include "app/api/examples/plugin.c"
#undef spokelab_plugin_describe
#undef spokelab_plugin_execute
SPOKELAB_PLUGIN_EXPORT const spokelab_plugin_description* spokelab_plugin_describe(const char*, char*, size_t);
SPOKELAB_PLUGIN_EXPORT int spokelab_plugin_execute(void*, int32_t, const void*, void*, char*, size_t);
#endif

static const char* const names[] = {"",          "aborts",  "loops",  "noise", "other-abi", "crashes-early",
                                    "says-no",  "leaves", "cpu",   "zero-batch", "slow", "careless", "bart"};

const spokelab_plugin_description* spokelab_plugin_describe(const char* file, char* text, size_t text_size) {
  static spokelab_plugin_description description = {.version = "0.1",
                                                    .license = "MIT",
                                                    .dims = 1 | 2 | 4,
                                                    .precisions = SPOKELAB_PLUGIN_SINGLE | SPOKELAB_PLUGIN_DOUBLE};
  (void)file;
  (void)text;
  (void)text_size;
  if (FAULT == CRASHES_EARLY) raise(SIGSEGV);
  description.abi = FAULT == OTHER_ABI ? 99 : SPOKELAB_PLUGIN_ABI;
  description.name = names[FAULT];
  return &description;
}

#if WITH_EXACT_SUMS
int spokelab_plugin_execute(void* made, int32_t type, const void* from, void* to, char* text, size_t text_size) {
  plan* p = made;
  const int64_t batch = p->request.batch;
  const int64_t pixels = p->request.size[0] * p->request.size[1] * p->request.size[2];
  const int64_t outputs = 2 * batch * (type == 1 ? pixels : p->points);
  if (FAULT == BART) return exact_execute(made, type, from, to, text, text_size);
  if (FAULT == CARELESS) {
    const int done = exact_execute(made, type, from, to, text, text_size);
    const double off = 1 + 2 * p->request.accuracy;
    for (int64_t i = 0; i < outputs; ++i)
      if (p->request.precision == SPOKELAB_PLUGIN_SINGLE)
        ((float*)to)[i] *= (float)off;
      else
        ((double*)to)[i] *= off;
    return done;
  }
  for (int64_t i = 0; i < outputs; ++i) store(p, to, i, 0);
  p->request.batch = 1;
  const int code = exact_execute(made, type, from, to, text, text_size);
  p->request.batch = batch;
  return code;
}
#else
typedef struct plan {
  spokelab_plugin_request request;
  int64_t points;
} plan;

int spokelab_plugin_plan(const spokelab_plugin_request* request, void** made, spokelab_plugin_report* report,
                         char* text, size_t text_size) {
  (void)report;
  if (FAULT == SAYS_NO) {
    snprintf(text, text_size, "the moon is not full");
    return SPOKELAB_PLUGIN_UNSUPPORTED;
  }
  if (FAULT == LEAVES) exit(3);
  plan* p = calloc(1, sizeof *p);
  if (!p) return SPOKELAB_PLUGIN_NO_MEMORY;
  p->request = *request;
  *made = p;
  return SPOKELAB_PLUGIN_OK;
}

int spokelab_plugin_set_points(void* made, int64_t count, const double* x, const double* y, const double* z,
                               char* text, size_t text_size) {
  (void)x;
  (void)y;
  (void)z;
  (void)text;
  (void)text_size;
  ((plan*)made)->points = count;
  for (volatile int going = FAULT == LOOPS; going;) {
  }
  return SPOKELAB_PLUGIN_OK;
}

int spokelab_plugin_execute(void* made, int32_t type, const void* from, void* to, char* text,
                            size_t text_size) {
  const plan* p = made;
  const int64_t pixels = p->request.size[0] * p->request.size[1] * p->request.size[2];
  const int64_t outputs = 2 * p->request.batch * (type == 1 ? pixels : p->points);
  (void)from;
  (void)text;
  (void)text_size;
  if (FAULT == ABORTS) abort();
  if (FAULT == SLOW) usleep(700000);
  unsigned state = 1;
  for (int64_t i = 0; i < outputs; ++i) {
    state = state * 1664525u + 1013904223u;
    const double value = (double)(state >> 8) / (1 << 23) - 1;
    if (p->request.precision == SPOKELAB_PLUGIN_SINGLE)
      ((float*)to)[i] = (float)value;
    else
      ((double*)to)[i] = value;
  }
  return SPOKELAB_PLUGIN_OK;
}

void spokelab_plugin_destroy(void* made) {
  free(made);
}
#endif
