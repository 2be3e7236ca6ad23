// Another program's non-uniform FFT as a plug-in of Spokelab: a shared object that defines the five
// functions at the end of this header, in C or with extern "C". It is found in a folder of
// plug-ins, timed and measured beside Spokelab's plans, and taken if it is the fastest that meets
// the accuracy asked for. It does not link anything of Spokelab.
//
// A plan computes, with dims 1, 2 or 3:
//   type 2 (forward)  s_j = sum_n f_n e^{sign 2 pi i n . k_j}   images -> samples
//   type 1 (adjoint)  f_n = sum_j s_j e^{-sign 2 pi i n . k_j}  samples -> images
//   n_d = -floor(N_d / 2) ... ceil(N_d / 2) - 1; neither is scaled.
//   So sign is FINUFFT's iflag of type 2; type 1 has the opposite iflag.
//
// Units    k is in cycles per pixel, within -1/2 ... 1/2. FINUFFT's points are 2 pi times that.
// Shapes   images [batch][N_z][N_y][N_x], x fastest: FINUFFT's order of modes -N/2 ... with
//          modeord 0; samples [batch][points]. Complex numbers are pairs (real, imaginary) of float
//          or double, by the plan's precision.
//
// Errors   A function returns SPOKELAB_PLUGIN_OK or an error, and may write a sentence with the
//          reason to `text`, ended by '\0', of at most `text_size` bytes. A function must not throw
//          or end the program: such a plug-in is refused (it is first tried in a separate process).
// Threads  A plan is used by one thread at a time, not always the same one; different plans may be
//          used at the same time. A plan computes with at most `threads` threads.
// Time     A plan's cost is its making, the setting of points and the execution, each times its
//          number of calls. Do work in the earliest of these calls that can do it.
//
// Memory   A plan's points, images and samples are in the memory that its request names: the
//          host's, or a GPU's, there without a copy. A GPU plan works on the request's stream and
//          need not wait for it: what a call reads is complete in stream order, and what it writes
//          is read in stream order. The program waits for the stream before it destroys the plan.
//
// Versions `abi` is the first member in all versions. Version 1 had no GPU memory: its description
//          ended with alpha_count, its request with threads. Plug-ins of version 1 are used as
//          before.
#ifndef SPOKELAB_PLUGIN_H
#define SPOKELAB_PLUGIN_H

#include <stddef.h>
#include <stdint.h>

#define SPOKELAB_PLUGIN_ABI 2
#if defined(__GNUC__)
#define SPOKELAB_PLUGIN_EXPORT __attribute__((visibility("default")))
#else
#define SPOKELAB_PLUGIN_EXPORT
#endif

#ifdef __cplusplus
extern "C" {
#endif

enum {
  SPOKELAB_PLUGIN_OK = 0,
  SPOKELAB_PLUGIN_UNSUPPORTED = 1,  // not these dimensions, precision, size or accuracy
  SPOKELAB_PLUGIN_NO_MEMORY = 2,
  SPOKELAB_PLUGIN_FAILED = 3
};

enum { SPOKELAB_PLUGIN_SINGLE = 1, SPOKELAB_PLUGIN_DOUBLE = 2 };  // precisions, as bits
enum { SPOKELAB_PLUGIN_HOST = 1, SPOKELAB_PLUGIN_CUDA = 2 };      // kinds of memory, as bits

typedef struct spokelab_plugin_description {
  uint32_t abi;  // SPOKELAB_PLUGIN_ABI
  // The name in charts, the command line and wisdom: a letter, then letters, digits, '-', '_' and
  // '.', at most 32 in all; not "auto", "cpu" or "cuda".
  const char* name;
  const char* version;  // of the transform: wisdom of another version is not used
  const char* license;  // "Apache-2.0"
  const char* summary;  // one line, or NULL
  uint32_t dims;        // bit 0: 1-D, bit 1: 2-D, bit 2: 3-D
  uint32_t precisions;  // SPOKELAB_PLUGIN_SINGLE | SPOKELAB_PLUGIN_DOUBLE
  // Oversampling ratios worth trying: each is a separate candidate. Without ratios, plans get alpha
  // = 0 and choose themselves.
  const double* alphas;
  int32_t alpha_count;
  // SPOKELAB_PLUGIN_HOST | SPOKELAB_PLUGIN_CUDA; 0: the host's. A plug-in with both gets the GPU's
  // where the program uses one.
  uint32_t memories;
} spokelab_plugin_description;

typedef struct spokelab_plugin_request {
  const char* file;  // of the plug-in, as it was described
  int32_t dims;
  int64_t size[3];    // N_x, N_y, N_z; 1 beyond dims
  int32_t precision;  // SPOKELAB_PLUGIN_SINGLE or _DOUBLE
  int32_t sign;       // of type 2's exponent: -1 or 1
  int64_t batch;      // images of every execution
  double accuracy;    // relative l2 error that may be made; it is measured
  double alpha;       // oversampling ratio, one of the description's; 0: the plan's own choice
  int32_t threads;
  int32_t memory;  // SPOKELAB_PLUGIN_HOST or SPOKELAB_PLUGIN_CUDA: of all arrays
  int32_t device;  // CUDA's number of the GPU, which is current in each call; 0 for the host
  void* stream;    // the GPU plan's cudaStream_t; NULL for the host
} spokelab_plugin_request;

// A plan's report about itself; 0 (or not set): not known.
typedef struct spokelab_plugin_report {
  double alpha, width;  // oversampling ratio and full kernel width in grid cells, for the charts
  int64_t grid[3];      // oversampled grid
  int64_t memory;       // bytes
} spokelab_plugin_report;

// Describes the plug-in; the description lasts as long as the shared object is loaded. file: the
// plug-in's file, in UTF-8. NULL, with a text: it cannot be used here.
SPOKELAB_PLUGIN_EXPORT const spokelab_plugin_description* spokelab_plugin_describe(const char* file,
                                                                                   char* text,
                                                                                   size_t text_size);

// Makes a plan. *plan: the plug-in's own; it is given back to the other functions.
SPOKELAB_PLUGIN_EXPORT int spokelab_plugin_plan(const spokelab_plugin_request* request, void** plan,
                                                spokelab_plugin_report* report, char* text, size_t text_size);

// Sets points: one array of `count` coordinates for each dimension (NULL beyond dims), which the
// plan may read until the next call of this function and shall not write to. A plan may be given
// points again and again, also none.
SPOKELAB_PLUGIN_EXPORT int spokelab_plugin_set_points(void* plan, int64_t count, const double* x,
                                                      const double* y, const double* z, char* text,
                                                      size_t text_size);

// type 1: from samples to images; type 2: from images to samples. `from` is not written to; `to` is
// overwritten. They do not overlap.
SPOKELAB_PLUGIN_EXPORT int spokelab_plugin_execute(void* plan, int32_t type, const void* from, void* to,
                                                   char* text, size_t text_size);

SPOKELAB_PLUGIN_EXPORT void spokelab_plugin_destroy(void* plan);

#ifdef __cplusplus
}
#endif

#endif
