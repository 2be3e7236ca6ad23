// Spokelab's engine for C and for every language that calls C: non-uniform FFTs, exact
// field-corrected transforms, and reconstruction of scans.
//
// Conventions
//   forward   s_j = sum_n m_n e^{sign 2 pi i k_j . n},  n_d = -floor(N_d/2) ... ceil(N_d/2) - 1
//   adjoint   its conjugate transpose, not scaled;  normal = adjoint . weights . forward
//   k         plans: cycles per pixel (-1/2 ... 1/2, periodic beyond), [point, dims], double
//             gdft and scans: cycles per field of view (-N/2 ... N/2)
//   complex   pairs (real, imaginary) of float or double, as C99's and C++'s complex numbers
//   arrays    images [batch, z, y, x], x fastest; samples [batch, point]; sizes are x, y, z
//
// A call returns SPOKELAB_OK or the kind of failure; spokelab_error_text() then says what failed,
// why, and what to do. No call throws, prints or ends the program. ..._create, _read, _tune and
// _reconstruct make handles, ..._destroy ends one and accepts NULL. A handle keeps alive the
// handles that it was made from, and owns the texts and arrays that it returns.
//
// Points, weights, times, maps, fields, and the samples of SENSE and of scans must be finite; other
// numbers are refused, as are counts beyond any memory. forward, adjoint and normal transform their
// input as it is, NaN to NaN.
//
// Threads: different handles may be used on different threads at once, and a context on any number.
// Calls on one handle wait for each other, but a spokelab_sense in use fails. All share one pool.
//
// ABI: within one SPOKELAB_ABI functions are added, never changed or removed.
#ifndef SPOKELAB_H
#define SPOKELAB_H

#include <stddef.h>
#include <stdint.h>

#define SPOKELAB_ABI 1
#if defined(__GNUC__)
#define SPOKELAB_API __attribute__((visibility("default")))
#else
#define SPOKELAB_API
#endif

#ifdef __cplusplus
extern "C" {
#endif

typedef enum spokelab_status {
  SPOKELAB_OK = 0,
  SPOKELAB_FAILED = 1,     // the request cannot be met: a bad file, size, option, accuracy
  SPOKELAB_CANCELLED = 2,  // a progress function cancelled the call
  SPOKELAB_NO_MEMORY = 3,
  SPOKELAB_BAD_ARGUMENT = 4,  // a null pointer or a number that no call can take
  SPOKELAB_INTERNAL = 5       // a defect of this library: please report it
} spokelab_status;

typedef enum spokelab_precision {
  SPOKELAB_SINGLE = 0,
  SPOKELAB_DOUBLE = 1,
  SPOKELAB_PRECISION_LIMIT = 0x7fffffff  // gives the enum int's range
} spokelab_precision;

typedef struct spokelab_context spokelab_context;      // machines and wisdom
typedef struct spokelab_options spokelab_options;      // named as on the command line
typedef struct spokelab_plan spokelab_plan;            // a NUFFT
typedef struct spokelab_type3 spokelab_type3;          // a NUFFT from points to points
typedef struct spokelab_transform spokelab_transform;  // an exact field-corrected transform
typedef struct spokelab_sense spokelab_sense;          // SENSE for one set of points
typedef struct spokelab_scan spokelab_scan;
typedef struct spokelab_image spokelab_image;
typedef struct spokelab_lambda_range spokelab_lambda_range;  // images of SENSE for all lambda

// fraction: 0 ... 1. Return 0 to go on; any other value cancels the call, which returns
// SPOKELAB_CANCELLED. Called on the call's thread or one that works for it, never twice at a time.
typedef int (*spokelab_progress)(double fraction, const char* what, void* user);

// --- this library -------------------------------------------------------------------------------
SPOKELAB_API const char* spokelab_version(void);  // "1.0.0"
SPOKELAB_API int spokelab_abi(void);              // SPOKELAB_ABI of the library that is loaded
// This thread's last error; "" before one. Copy it before the thread's next call that may fail.
SPOKELAB_API const char* spokelab_error_text(void);

// Sets the allocator of arrays that grow with a problem: grids, points, samples, images. Small
// objects, and memory of FFTW, oneTBB and HDF5, do not use it. allocate returns `bytes` at a
// multiple of `alignment`, or NULL, which ends the call with SPOKELAB_NO_MEMORY. release gets the
// pointers of allocate. Both run on many threads at once. NULL for both: the system's allocator.
// Call this first: it returns SPOKELAB_FAILED while the engine holds an array.
typedef void* (*spokelab_allocate)(size_t bytes, size_t alignment, void* user);
typedef void (*spokelab_release)(void* memory, size_t bytes, void* user);
SPOKELAB_API spokelab_status spokelab_set_memory(spokelab_allocate allocate, spokelab_release release,
                                                 void* user);

// --- context ------------------------------------------------------------------------------------
// Finds the machines: the CPU, and a GPU if the CUDA module and a driver are present. wisdom: file
// for tuning results; "": the user's file, as the programs use; NULL: nothing is kept.
SPOKELAB_API spokelab_status spokelab_context_create(const char* wisdom, spokelab_context** context);
SPOKELAB_API void spokelab_context_destroy(spokelab_context* context);
// All kinds of machine: name, and description or why it cannot be used. NULL beyond the last.
SPOKELAB_API int spokelab_backend_count(const spokelab_context* context);
SPOKELAB_API const char* spokelab_backend_name(const spokelab_context* context, int index);
SPOKELAB_API const char* spokelab_backend_text(const spokelab_context* context, int index);
SPOKELAB_API int spokelab_backend_usable(const spokelab_context* context, int index);

// Waits for all work of a GPU stream (a cudaStream_t); NULL: of all streams. Returns at once
// without a GPU. SPOKELAB_FAILED: the work failed.
SPOKELAB_API spokelab_status spokelab_synchronize(spokelab_context* context, void* stream);

// --- options ------------------------------------------------------------------------------------
// Options of `spokelab-cli reconstruct --help`, as name and text: ("accuracy", "1e-4"), ("backend",
// "cuda"), ("method", "sense"). A NULL for options means the defaults.
SPOKELAB_API spokelab_status spokelab_options_create(spokelab_options** options);
SPOKELAB_API void spokelab_options_destroy(spokelab_options* options);
SPOKELAB_API spokelab_status spokelab_options_set(spokelab_options* options, const char* name,
                                                  const char* value);
// The value as text, valid until the next call on these options; NULL for an unknown name.
SPOKELAB_API const char* spokelab_options_get(spokelab_options* options, const char* name);
// A denoiser of yours for the methods pnp and joint-pnp, D of spokelab_denoiser.h: images, complex
// shape[4] = [image, z, y, x], become D(images). *value: R of them; may be left. Return 0; else the
// call fails, by the sentence in `text`. user outlives all that uses the options. NULL: none.
typedef int (*spokelab_denoise)(float* images, const int64_t shape[4], int dims, double strength,
                                double* value, char* text, size_t text_size, void* user);
SPOKELAB_API spokelab_status spokelab_options_set_denoiser(spokelab_options* options,
                                                           spokelab_denoise denoise, void* user);
// The table of options: names, and one sentence each. NULL beyond the last.
SPOKELAB_API int spokelab_option_count(void);
SPOKELAB_API const char* spokelab_option_name(int index);
SPOKELAB_API const char* spokelab_option_help(int index);
SPOKELAB_API int spokelab_option_of_transform(int index);  // 0: reconstructions alone use it

// --- plans --------------------------------------------------------------------------------------
// Makes a plan for images of size[0 ... dims - 1], dims 1 to 3 (CPU: 8), sign of forward's exponent
// and `batch` images a call. Open options are guessed, none is timed; backend "auto" is the CPU.
SPOKELAB_API spokelab_status spokelab_plan_create(spokelab_context* context, int dims, const int64_t* size,
                                                  int sign, spokelab_precision precision, int64_t batch,
                                                  const spokelab_options* options, spokelab_plan** plan);
// Makes the fastest plan for these points, tuned over all usable machines or remembered in the
// wisdom, and sets the points. Further options used: effort, direction, reuse (executions for a set
// of points, 10 by default), point-sets, time-limit.
SPOKELAB_API spokelab_status spokelab_plan_tune(spokelab_context* context, int dims, const int64_t* size,
                                                int sign, spokelab_precision precision, int64_t batch,
                                                const spokelab_options* options, int64_t count,
                                                const double* points, spokelab_progress progress, void* user,
                                                spokelab_plan** plan);
SPOKELAB_API void spokelab_plan_destroy(spokelab_plan* plan);
// Copies the points. May be called again.
SPOKELAB_API spokelab_status spokelab_plan_set_points(spokelab_plan* plan, int64_t count,
                                                      const double* points);
// Sets points in the memory of the plan's GPU, read in the order of `stream` (as below). A later
// call that waits reports a number that is not finite. Plans of the CPU refuse them.
SPOKELAB_API spokelab_status spokelab_plan_set_points_on(spokelab_plan* plan, int64_t count,
                                                         const double* points, void* stream);
// Makes a plan for `sets` sets of points (frames of a moving heart) that are set and transformed in
// one call, which is far cheaper for small sets. Images are [set, batch, z, y, x]. Samples and
// weights follow set after set, samples as [batch, points of the set]. Points are set by
// spokelab_plan_set_point_sets alone, and counted in all sets. Else as spokelab_plan_create.
SPOKELAB_API spokelab_status spokelab_plan_create_sets(spokelab_context* context, int dims,
                                                       const int64_t* size, int sign,
                                                       spokelab_precision precision, int64_t batch,
                                                       int64_t sets, const spokelab_options* options,
                                                       spokelab_plan** plan);
// Set s gets the points offsets[s] ... offsets[s + 1] - 1. offsets [sets + 1] rise from 0; sets may
// be empty. Copies the points, and may be called again. SPOKELAB_FAILED: a number is not finite
// (the text names set and point) or memory is short; the plan then keeps its points.
SPOKELAB_API spokelab_status spokelab_plan_set_point_sets(spokelab_plan* plan, const int64_t* offsets,
                                                          const double* points);
// Copies normal()'s weights, one a point; count 0: ones.
SPOKELAB_API spokelab_status spokelab_plan_set_weights(spokelab_plan* plan, int64_t count,
                                                       const double* weights);
// Arrays have the plan's precision and are in host memory. normal may work in place.
SPOKELAB_API spokelab_status spokelab_plan_forward(spokelab_plan* plan, const void* image, void* samples);
SPOKELAB_API spokelab_status spokelab_plan_adjoint(spokelab_plan* plan, const void* samples, void* image);
SPOKELAB_API spokelab_status spokelab_plan_normal(spokelab_plan* plan, const void* in, void* out);
// The same on arrays in the memory of the plan's GPU, in the order of `stream` (a cudaStream_t;
// NULL: the plan's stream). They return before the work is done. Plans of the CPU refuse them.
SPOKELAB_API spokelab_status spokelab_plan_forward_on(spokelab_plan* plan, const void* image, void* samples,
                                                      void* stream);
SPOKELAB_API spokelab_status spokelab_plan_adjoint_on(spokelab_plan* plan, const void* samples, void* image,
                                                      void* stream);
SPOKELAB_API spokelab_status spokelab_plan_normal_on(spokelab_plan* plan, const void* in, void* out,
                                                     void* stream);
// Bytes that calls work in and do not keep: the grid, and normal's samples with option "normal"
// "gridded". Ask after points are set. 0: it takes no memory (several sets on a CPU). -1 for NULL.
SPOKELAB_API int64_t spokelab_plan_workspace_bytes(const spokelab_plan* plan);
// Lends memory at any address until the plan ends or gets another, NULL its own again: of the host,
// or with _on of the plan's GPU, used in the order of the calls' stream. Others may use it between
// calls. SPOKELAB_FAILED: it is too small (or will be, for new points), or the plan takes none.
SPOKELAB_API spokelab_status spokelab_plan_set_workspace(spokelab_plan* plan, void* memory, int64_t bytes);
SPOKELAB_API spokelab_status spokelab_plan_set_workspace_on(spokelab_plan* plan, void* memory, int64_t bytes);
SPOKELAB_API int64_t spokelab_plan_points(const spokelab_plan* plan);  // -1 for NULL
SPOKELAB_API int64_t spokelab_plan_pixels(const spokelab_plan* plan);  // of one image
// Relative l2, predicted: of a transform, or of the normal operator where that was tuned.
SPOKELAB_API double spokelab_plan_error(const spokelab_plan* plan);
// One line: machine, method, alpha, W, kernel; after tune also the reason.
SPOKELAB_API const char* spokelab_plan_text(spokelab_plan* plan);

// --- transforms from points to points (type 3) --------------------------------------------------
//   forward   y_k = sum_j c_j e^{sign 2 pi i s_k . x_j};  adjoint: conjugate transpose, unscaled
// x in any unit, s in cycles per that unit. Options used: accuracy, alpha, axis-alpha, width,
// kernel, threads, memory-limit, backend ("cpu" or "cuda"; "auto" is the CPU here).
SPOKELAB_API spokelab_status spokelab_type3_create(spokelab_context* context, int dims, int sign,
                                                   spokelab_precision precision, int64_t batch,
                                                   const spokelab_options* options, spokelab_type3** type3);
// Makes the fastest transform for these points, which it sets: timed over the ratios of its grids
// and all usable machines, or remembered in the wisdom. Further options used: effort, direction
// (forward by default), reuse (executions for a set of points, 10 by default), trials, time-limit.
SPOKELAB_API spokelab_status spokelab_type3_tune(spokelab_context* context, int dims, int sign,
                                                 spokelab_precision precision, int64_t batch,
                                                 const spokelab_options* options, int64_t sources,
                                                 const double* source_points, int64_t targets,
                                                 const double* target_points, spokelab_progress progress,
                                                 void* user, spokelab_type3** type3);
SPOKELAB_API void spokelab_type3_destroy(spokelab_type3* type3);
// Copies sources [source, dims] and targets [target, dims]. May be called again.
SPOKELAB_API spokelab_status spokelab_type3_set_points(spokelab_type3* type3, int64_t sources,
                                                       const double* source_points, int64_t targets,
                                                       const double* target_points);
// forward: [batch, source] to [batch, target]; adjoint: back. Of the precision, in host memory.
SPOKELAB_API spokelab_status spokelab_type3_forward(spokelab_type3* type3, const void* source_values,
                                                    void* target_values);
SPOKELAB_API spokelab_status spokelab_type3_adjoint(spokelab_type3* type3, const void* target_values,
                                                    void* source_values);
// The same on a GPU, as spokelab_plan_forward_on.
SPOKELAB_API spokelab_status spokelab_type3_forward_on(spokelab_type3* type3, const void* source_values,
                                                       void* target_values, void* stream);
SPOKELAB_API spokelab_status spokelab_type3_adjoint_on(spokelab_type3* type3, const void* target_values,
                                                       void* source_values, void* stream);
// Predicted relative l2 error for the points that are set; 0 before.
SPOKELAB_API double spokelab_type3_error(const spokelab_type3* type3);
SPOKELAB_API const char* spokelab_type3_text(const spokelab_type3* type3);  // as a plan's

// --- exact field-corrected transforms ------------------------------------------------------------
// s_j = sum_n m_n e^{-i (2 pi k_j . r_n + field_n t_j)} e^{-decay_n t_j}, r_n = n_d / N_d, by exact
// sums. points: [samples, dims] cycles per field of view; times: [samples] s, or NULL; field:
// [pixel] rad/s, or NULL; decay: [pixel] 1/s, or NULL. gradient: [dims, pixel] cycles/s per voxel
// multiplies each term by prod_d sinc(k_d / N_d + gradient t) (GdftR2); NULL: no such factor.
// Copies all arrays. Option used: backend ("auto" is the CPU here).
SPOKELAB_API spokelab_status spokelab_gdft_create(spokelab_context* context, int dims, const int64_t* size,
                                                  spokelab_precision precision, int64_t samples,
                                                  const double* points, const double* times,
                                                  const double* field, const double* decay,
                                                  const double* gradient, const spokelab_options* options,
                                                  spokelab_transform** transform);
// The same of an image of `pixels` points: coordinates [pixel, dims] are r_n in units of the field
// of view, maps are [pixel], and `size` is the N_d of the voxel's sinc alone.
SPOKELAB_API spokelab_status spokelab_gdft_create_at(spokelab_context* context, int dims, const int64_t* size,
                                                     spokelab_precision precision, int64_t pixels,
                                                     const double* coordinates, int64_t samples,
                                                     const double* points, const double* times,
                                                     const double* field, const double* decay,
                                                     const double* gradient, const spokelab_options* options,
                                                     spokelab_transform** transform);
SPOKELAB_API void spokelab_gdft_destroy(spokelab_transform* transform);
// One image and its samples, in host memory.
SPOKELAB_API spokelab_status spokelab_gdft_forward(spokelab_transform* transform, const void* image,
                                                   void* samples);
SPOKELAB_API spokelab_status spokelab_gdft_adjoint(spokelab_transform* transform, const void* samples,
                                                   void* image);
// The same on a GPU, as spokelab_plan_forward_on.
SPOKELAB_API spokelab_status spokelab_gdft_forward_on(spokelab_transform* transform, const void* image,
                                                      void* samples, void* stream);
SPOKELAB_API spokelab_status spokelab_gdft_adjoint_on(spokelab_transform* transform, const void* samples,
                                                      void* image, void* stream);

// --- density -------------------------------------------------------------------------------------
// Density weights: weights [sample] are k-space areas (volumes), (cycles per FOV)^dims, so that
// N^-dims adjoint(weights . y) grids the image. shot_offsets [shots + 1] from 0, in samples; points
// [sample, dims] cycles per FOV, dims 2 or 3. Samples beyond the band of `size` get 0. Options
// used: density ("auto": analytic for straight shots through the centre, else Pipe and Menon's),
// pipe-menon-iterations, backend, accuracy, threads.
SPOKELAB_API spokelab_status spokelab_density_weights(spokelab_context* context, int dims,
                                                      const int64_t* size, int64_t shots,
                                                      const int64_t* shot_offsets, const double* points,
                                                      const spokelab_options* options,
                                                      spokelab_progress progress, void* user,
                                                      double* weights);

// --- SENSE ---------------------------------------------------------------------------------------
// Iterative SENSE of samples in memory: the image m that minimises
//   sum_c |W^{1/2} (A S_c m - y_c)|^2 / sum_j w_j + lambda R(m),   A as in scans (k in cycles/FOV)
// maps: complex float [set, coil, z, y, x], with the number of sets in option "map-sets" (2: soft
// SENSE). points: [sample, dims]. Copies all arrays. Further options used: lambda, regularization,
// iterations, tolerance, transform, accuracy, alpha, width, normal, threads, backend ("auto" is the
// CPU here). Open options are guessed from the size without timing.
SPOKELAB_API spokelab_status spokelab_sense_create(spokelab_context* context, int dims, const int64_t* size,
                                                   spokelab_precision precision, int coils, const float* maps,
                                                   int64_t samples, const double* points,
                                                   const spokelab_options* options, spokelab_sense** sense);
SPOKELAB_API void spokelab_sense_destroy(spokelab_sense* sense);
// w [sample], at least 0 and not all 0; NULL: ones. With areas of k-space fewer iterations suffice.
SPOKELAB_API spokelab_status spokelab_sense_set_weights(spokelab_sense* sense, const double* weights);
// Arrays as in spokelab_gdft_create; each may be NULL, all NULL: no field. Option "transform"
// chooses the correction: segmented, segmented-toeplitz, gdft, gdftr2 (needs the gradient), auto.
SPOKELAB_API spokelab_status spokelab_sense_set_field(spokelab_sense* sense, const double* times,
                                                      const double* field, const double* decay,
                                                      const double* gradient);
// pcSENSE: phases [shot, z, y, x] rad multiply the samples' model of each shot, A S_c e^{i phase}
// m. offsets [shots + 1] from 0, in samples. shots 0: SENSE.
SPOKELAB_API spokelab_status spokelab_sense_set_phases(spokelab_sense* sense, int64_t shots,
                                                       const int64_t* shot_offsets, const double* phases);
// Solves for the image [z, y, x] from values [coil, sample], both in the precision. Further calls
// with other samples reuse the plans. options: lambda, regularization, iterations and tolerance of
// this call; NULL: as created. After SPOKELAB_CANCELLED: the last iteration's image, or zeros.
SPOKELAB_API spokelab_status spokelab_sense_solve(spokelab_sense* sense, const void* values,
                                                  const spokelab_options* options, spokelab_progress progress,
                                                  void* user, void* image);
// The same on arrays in the memory of the solving GPU (option "backend" "cuda"). In double
// precision the iterations' vectors are in host memory, so samples and image are copied once a
// call. Iterations need numbers on the host: the call waits for the work of `stream` (a
// cudaStream_t; NULL: all work), and returns with the image complete. After SPOKELAB_CANCELLED the
// image is the last iteration's, or untouched.
SPOKELAB_API spokelab_status spokelab_sense_solve_on(spokelab_sense* sense, const void* values,
                                                     const spokelab_options* options,
                                                     spokelab_progress progress, void* user, void* image,
                                                     void* stream);
// Results of the last solving call: the number of iterations, their relative residuals of the
// normal equations (valid until the next call), a line with the transform and why it ended.
SPOKELAB_API int spokelab_sense_iterations(const spokelab_sense* sense);
SPOKELAB_API const double* spokelab_sense_residuals(const spokelab_sense* sense);
SPOKELAB_API const char* spokelab_sense_text(const spokelab_sense* sense);

// --- scans --------------------------------------------------------------------------------------
// Reads a file that the programs read (ISMRMRD, described arrays), or a built-in scan: "demo",
// "demo-field". choices: `count` texts "topic=choice" that overrule the reader's decisions
// ("matrix=256x256"), as the command line's --set; "dataset=GROUP" is its --dataset.
SPOKELAB_API spokelab_status spokelab_scan_read(const char* file, const char* const* choices, int count,
                                                spokelab_progress progress, void* user, spokelab_scan** scan);
// Simulates a scan of an analytic phantom. options: `count` texts "name=value" from `spokelab-cli
// simulate --help` ("matrix=64", "pattern=spiral", "coils=8", "preset=multicore-1"). truth: the
// image to compare with, as option --truth writes it; NULL: not made.
SPOKELAB_API spokelab_status spokelab_scan_simulate(const char* const* options, int count,
                                                    spokelab_progress progress, void* user,
                                                    spokelab_scan** scan, spokelab_image** truth);
// Makes a scan of one frame and slice from arrays, which are copied: shot_offsets [shots + 1], from
// 0, in samples; points [samples, dims] cycles per field of view; times [samples] s, or NULL;
// values [coil, sample] in the precision; fov in mm, or NULL: pixels of 1 mm.
SPOKELAB_API spokelab_status spokelab_scan_create(int dims, const int64_t* size, const double* fov, int coils,
                                                  int64_t shots, const int64_t* shot_offsets,
                                                  const double* points, const double* times,
                                                  spokelab_precision precision, const void* values,
                                                  spokelab_scan** scan);
// Adds an array beside the samples, as files hold them; replaces one with this name. values:
// complex [shape], slowest axis first; copied. Reconstructions use these arrays if their options
// name no file: "SENSEMap" [coil, z, y, x], "FieldMap" [z, y, x] (option field-unit), "PhaseMaps"
// [shot, z, y, x] rad. 2-D arrays have no z; real arrays have imaginary parts of 0.
SPOKELAB_API spokelab_status spokelab_scan_set_array(spokelab_scan* scan, const char* name, int axes,
                                                     const int64_t* shape, const float* values);
SPOKELAB_API void spokelab_scan_destroy(spokelab_scan* scan);
// -1 for NULL or a frame that does not exist.
SPOKELAB_API int spokelab_scan_dims(const spokelab_scan* scan);
SPOKELAB_API int spokelab_scan_coils(const spokelab_scan* scan);
SPOKELAB_API int spokelab_scan_slices(const spokelab_scan* scan);
SPOKELAB_API int spokelab_scan_frames(const spokelab_scan* scan);
SPOKELAB_API int64_t spokelab_scan_samples(const spokelab_scan* scan, int frame);
SPOKELAB_API spokelab_status spokelab_scan_size(const spokelab_scan* scan, int64_t size[3]);  // pixels
SPOKELAB_API spokelab_status spokelab_scan_fov(const spokelab_scan* scan, double fov[3]);     // mm
// NULL for an index that does not exist. points: [sample, dims]; values: complex float [sample].
SPOKELAB_API const double* spokelab_scan_points(const spokelab_scan* scan, int frame);
SPOKELAB_API const float* spokelab_scan_values(const spokelab_scan* scan, int frame, int slice, int coil);
// The file's contents and the reader's decisions, as JSON.
SPOKELAB_API const char* spokelab_scan_json(spokelab_scan* scan);

// --- reconstruction -----------------------------------------------------------------------------
// Reconstructs as `spokelab-cli reconstruct` does with these options; tuned.
SPOKELAB_API spokelab_status spokelab_reconstruct(spokelab_context* context, const spokelab_scan* scan,
                                                  const spokelab_options* options, spokelab_progress progress,
                                                  void* user, spokelab_image** image);
SPOKELAB_API void spokelab_image_destroy(spokelab_image* image);
SPOKELAB_API int spokelab_image_frames(const spokelab_image* image);  // -1 for NULL
SPOKELAB_API spokelab_status spokelab_image_size(const spokelab_image* image, int64_t size[3]);
SPOKELAB_API spokelab_status spokelab_image_fov(const spokelab_image* image, double fov[3]);  // mm
// Complex [frame, z, y, x]. Float is always there, double only of a job in double precision.
SPOKELAB_API const float* spokelab_image_values(const spokelab_image* image);
SPOKELAB_API const double* spokelab_image_values_double(const spokelab_image* image);
// Plan, error, times and notes of its making, as JSON.
SPOKELAB_API const char* spokelab_image_json(spokelab_image* image);
// Writes .nii, .nii.gz, .h5, .npy, .cfl or .png, by the name's ending. Refuses the scan's file.
SPOKELAB_API spokelab_status spokelab_image_write(const spokelab_image* image, const char* file);

// --- noise and lambda ---------------------------------------------------------------------------
// Maps of a reconstruction's noise by pseudo-replicas, as `spokelab-cli noise`: standard deviation,
// image over noise, g-factor. sigma: of a sample's real and imaginary part; 0: by the noise lines.
SPOKELAB_API spokelab_status spokelab_noise_maps(spokelab_context* context, const spokelab_scan* scan,
                                                 const spokelab_options* options, int replicas, double sigma,
                                                 unsigned seed, spokelab_progress progress, void* user,
                                                 spokelab_image* maps[3]);
// Images of SENSE with Tikhonov regularization for all lambda, from one run on the options' first
// frame and slice, as `spokelab-cli lambda`. low, high: the range of the `count` values that the
// JSON lists. held_out: share of the shots that another run leaves out and predicts, 0 ... 0.5.
SPOKELAB_API spokelab_status spokelab_lambda_range_create(spokelab_context* context,
                                                          const spokelab_scan* scan,
                                                          const spokelab_options* options, double low,
                                                          double high, int count, double held_out,
                                                          double sigma, spokelab_progress progress,
                                                          void* user, spokelab_lambda_range** range);
SPOKELAB_API void spokelab_lambda_range_destroy(spokelab_lambda_range* range);
// The values' misfits, and the lambda of L-curve, discrepancy and samples held out (null: none).
SPOKELAB_API const char* spokelab_lambda_range_json(spokelab_lambda_range* range);
// The image of any lambda above 0, made without a transform.
SPOKELAB_API spokelab_status spokelab_lambda_range_image(const spokelab_lambda_range* range, double lambda,
                                                         spokelab_image** image);

#ifdef __cplusplus
}
#endif

#endif
