// A denoiser as a plug-in of Spokelab: a shared object that defines the four functions at the end
// of this header, in C or with extern "C". `--method pnp --denoiser FILE` (and joint-pnp) iterates
// with it in place of a regularization. It does not link anything of Spokelab.
//
// A plan computes, in place,
//   D(v) = argmin_x 1/2 |x - v|^2 + strength R(x)
// of images v [image][N_z][N_y][N_x], x fastest; complex numbers are pairs (real, imaginary) of
// float. Images are scaled: the largest value of the gridded images is 1. A denoiser of images with
// Gaussian noise of standard deviation sigma in each complex value takes sigma = sqrt(strength).
// The strength is lambda over the largest eigenvalue of the normal operator, and may differ from
// call to call.
//
// Errors   A function returns SPOKELAB_DENOISER_OK or another number, and may write a sentence with
//          the reason to `text`, ended by '\0', of at most `text_size` bytes. They run in a
//          separate process: a crash ends the iterations with an error, not the program.
// Threads  A plan is used by one thread at a time. It computes with at most `threads` threads.
#ifndef SPOKELAB_DENOISER_H
#define SPOKELAB_DENOISER_H

#include <stddef.h>
#include <stdint.h>

#define SPOKELAB_DENOISER_ABI 1
#if defined(__GNUC__)
#define SPOKELAB_DENOISER_EXPORT __attribute__((visibility("default")))
#else
#define SPOKELAB_DENOISER_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum { SPOKELAB_DENOISER_OK = 0, SPOKELAB_DENOISER_UNSUPPORTED = 1, SPOKELAB_DENOISER_FAILED = 3 };

typedef struct spokelab_denoiser_description {
  uint32_t abi;  // SPOKELAB_DENOISER_ABI; the first member in all versions
  const char* name;
  const char* version;
  const char* license;  // "MIT"
  const char* summary;  // one line, or NULL
  uint32_t dims;        // 2: 2-D images, 4: 3-D images, 6: both
} spokelab_denoiser_description;

typedef struct spokelab_denoiser_request {
  const char* file;  // of the plug-in, as it was described
  int32_t dims;      // 2 or 3
  int64_t size[3];   // N_x, N_y, N_z; 1 beyond dims
  int64_t images;    // of every call: frames and sets of coil maps that are solved together
  int32_t threads;
} spokelab_denoiser_request;

// The description lasts as long as the shared object is loaded. NULL, with a text: it cannot be
// used here.
SPOKELAB_DENOISER_EXPORT const spokelab_denoiser_description* spokelab_denoiser_describe(const char* file,
                                                                                         char* text,
                                                                                         size_t text_size);

// Makes a plan. *plan: the plug-in's, given back to the other functions.
SPOKELAB_DENOISER_EXPORT int spokelab_denoiser_plan(const spokelab_denoiser_request* request, void** plan,
                                                    char* text, size_t text_size);

// images: v, which becomes D(v). *value: R of the result for the objective that is shown; it is NaN
// before, and is left so where R has no value.
SPOKELAB_DENOISER_EXPORT int spokelab_denoiser_apply(void* plan, double strength, float* images,
                                                     double* value, char* text, size_t text_size);

SPOKELAB_DENOISER_EXPORT void spokelab_denoiser_destroy(void* plan);

#ifdef __cplusplus
}
#endif

#endif
