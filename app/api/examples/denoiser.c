// A denoiser in C: few bright pixels. Each pixel is shrunk towards 0 by the strength, which is the
// proximal map of R(x) = sum over pixels of |x|, as of vessels in an angiogram.
//   cc -std=c99 -O2 -shared -fPIC denoiser.c -o few-pixels.so -lm      with spokelab_denoiser.h found
//   spokelab-cli reconstruct scan.h5 -o image.nii.gz --method pnp --denoiser few-pixels.so --lambda 0.02
#include <math.h>
#include <spokelab_denoiser.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct plan {
  int64_t pixels;  // of all images
} plan;

const spokelab_denoiser_description* spokelab_denoiser_describe(const char* file, char* text,
                                                                size_t text_size) {
  static const spokelab_denoiser_description description = {
      .abi = SPOKELAB_DENOISER_ABI,
      .name = "few-pixels",
      .version = "1.0",
      .license = "MIT",
      .summary = "shrinks each pixel towards 0",
      .dims = 2 | 4,
  };
  (void)file;
  (void)text;
  (void)text_size;
  return &description;
}

int spokelab_denoiser_plan(const spokelab_denoiser_request* request, void** made, char* text,
                           size_t text_size) {
  plan* p = malloc(sizeof *p);
  if (!p) {
    snprintf(text, text_size, "there is no memory for a plan");
    return SPOKELAB_DENOISER_FAILED;
  }
  p->pixels = request->images * request->size[0] * request->size[1] * request->size[2];
  *made = p;
  return SPOKELAB_DENOISER_OK;
}

int spokelab_denoiser_apply(void* made, double strength, float* images, double* value, char* text,
                            size_t text_size) {
  const plan* p = made;
  double sum = 0;
  (void)text;
  (void)text_size;
  for (int64_t i = 0; i < p->pixels; ++i) {
    const double length = hypot(images[2 * i], images[2 * i + 1]);
    const double left = length > strength ? length - strength : 0;
    const float factor = length > 0 ? (float)(left / length) : 0;
    images[2 * i] *= factor;
    images[2 * i + 1] *= factor;
    sum += left;
  }
  *value = sum;
  return SPOKELAB_DENOISER_OK;
}

void spokelab_denoiser_destroy(void* made) {
  free(made);
}
