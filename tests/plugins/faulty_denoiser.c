// Denoisers that do what none may. FAULT chooses what; all else would be in order.
#define _DEFAULT_SOURCE
#include <math.h>
#include <signal.h>
#include <spokelab_denoiser.h>
#include <stdio.h>
#include <stdlib.h>
#include <unistd.h>

enum {
  ABORTS = 1,     // in its second call
  LOOPS = 2,      // in its second call
  NOT_FINITE = 3, // returns NaN
  OTHER_ABI = 4,  // made for another version of the interface
  SAYS_NO = 5,    // refuses every plan, with a reason
  LEAVES = 6      // ends the process
};

static int calls = 0;

const spokelab_denoiser_description* spokelab_denoiser_describe(const char* file, char* text,
                                                                size_t text_size) {
  static spokelab_denoiser_description description = {
      .name = "faulty", .version = "0.1", .license = "MIT", .dims = 2};
  (void)file;
  (void)text;
  (void)text_size;
  description.abi = FAULT == OTHER_ABI ? 99 : SPOKELAB_DENOISER_ABI;
  return &description;
}

int spokelab_denoiser_plan(const spokelab_denoiser_request* request, void** made, char* text,
                           size_t text_size) {
  (void)request;
  *made = NULL;
  if (FAULT != SAYS_NO) return SPOKELAB_DENOISER_OK;
  snprintf(text, text_size, "it serves images of cats alone");
  return SPOKELAB_DENOISER_UNSUPPORTED;
}

int spokelab_denoiser_apply(void* made, double strength, float* images, double* value, char* text,
                            size_t text_size) {
  (void)made;
  (void)strength;
  (void)value;
  (void)text;
  (void)text_size;
  const int second = ++calls == 2;
  if (FAULT == ABORTS && second) abort();
  if (FAULT == LOOPS && second)
    for (;;) pause();
  if (FAULT == NOT_FINITE) images[3] = NAN;
  if (FAULT == LEAVES) _exit(0);
  return SPOKELAB_DENOISER_OK;
}

void spokelab_denoiser_destroy(void* made) {
  (void)made;
}
