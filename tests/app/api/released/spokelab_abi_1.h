// spokelab.h of SPOKELAB_ABI 1 as it was frozen in November 2026, without its comments. Programs
// that were compiled with it run with every library of that ABI (test_abi.cpp). It gains what a
// release adds, and loses nothing.
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
  SPOKELAB_FAILED = 1,
  SPOKELAB_CANCELLED = 2,
  SPOKELAB_NO_MEMORY = 3,
  SPOKELAB_BAD_ARGUMENT = 4,
  SPOKELAB_INTERNAL = 5
} spokelab_status;

typedef enum spokelab_precision {
  SPOKELAB_SINGLE = 0,
  SPOKELAB_DOUBLE = 1,
  SPOKELAB_PRECISION_LIMIT = 0x7fffffff
} spokelab_precision;

typedef struct spokelab_context spokelab_context;
typedef struct spokelab_options spokelab_options;
typedef struct spokelab_plan spokelab_plan;
typedef struct spokelab_type3 spokelab_type3;
typedef struct spokelab_transform spokelab_transform;
typedef struct spokelab_sense spokelab_sense;
typedef struct spokelab_scan spokelab_scan;
typedef struct spokelab_image spokelab_image;

typedef int (*spokelab_progress)(double fraction, const char* what, void* user);

SPOKELAB_API const char* spokelab_version(void);
SPOKELAB_API int spokelab_abi(void);

SPOKELAB_API const char* spokelab_error_text(void);

typedef void* (*spokelab_allocate)(size_t bytes, size_t alignment, void* user);
typedef void (*spokelab_release)(void* memory, size_t bytes, void* user);
SPOKELAB_API spokelab_status spokelab_set_memory(spokelab_allocate allocate, spokelab_release release,
                                                 void* user);

SPOKELAB_API spokelab_status spokelab_context_create(const char* wisdom, spokelab_context** context);
SPOKELAB_API void spokelab_context_destroy(spokelab_context* context);

SPOKELAB_API int spokelab_backend_count(const spokelab_context* context);
SPOKELAB_API const char* spokelab_backend_name(const spokelab_context* context, int index);
SPOKELAB_API const char* spokelab_backend_text(const spokelab_context* context, int index);
SPOKELAB_API int spokelab_backend_usable(const spokelab_context* context, int index);

SPOKELAB_API spokelab_status spokelab_synchronize(spokelab_context* context, void* stream);

SPOKELAB_API spokelab_status spokelab_options_create(spokelab_options** options);
SPOKELAB_API void spokelab_options_destroy(spokelab_options* options);
SPOKELAB_API spokelab_status spokelab_options_set(spokelab_options* options, const char* name,
                                                  const char* value);

SPOKELAB_API const char* spokelab_options_get(spokelab_options* options, const char* name);

SPOKELAB_API int spokelab_option_count(void);
SPOKELAB_API const char* spokelab_option_name(int index);
SPOKELAB_API const char* spokelab_option_help(int index);

SPOKELAB_API spokelab_status spokelab_plan_create(spokelab_context* context, int dims, const int64_t* size,
                                                  int sign, spokelab_precision precision, int64_t batch,
                                                  const spokelab_options* options, spokelab_plan** plan);

SPOKELAB_API spokelab_status spokelab_plan_tune(spokelab_context* context, int dims, const int64_t* size,
                                                int sign, spokelab_precision precision, int64_t batch,
                                                const spokelab_options* options, int64_t count,
                                                const double* points, spokelab_progress progress, void* user,
                                                spokelab_plan** plan);
SPOKELAB_API void spokelab_plan_destroy(spokelab_plan* plan);

SPOKELAB_API spokelab_status spokelab_plan_set_points(spokelab_plan* plan, int64_t count,
                                                      const double* points);

SPOKELAB_API spokelab_status spokelab_plan_set_points_on(spokelab_plan* plan, int64_t count,
                                                         const double* points, void* stream);

SPOKELAB_API spokelab_status spokelab_plan_create_sets(spokelab_context* context, int dims,
                                                       const int64_t* size, int sign,
                                                       spokelab_precision precision, int64_t batch,
                                                       int64_t sets, const spokelab_options* options,
                                                       spokelab_plan** plan);

SPOKELAB_API spokelab_status spokelab_plan_set_point_sets(spokelab_plan* plan, const int64_t* offsets,
                                                          const double* points);

SPOKELAB_API spokelab_status spokelab_plan_set_weights(spokelab_plan* plan, int64_t count,
                                                       const double* weights);

SPOKELAB_API spokelab_status spokelab_plan_forward(spokelab_plan* plan, const void* image, void* samples);
SPOKELAB_API spokelab_status spokelab_plan_adjoint(spokelab_plan* plan, const void* samples, void* image);
SPOKELAB_API spokelab_status spokelab_plan_normal(spokelab_plan* plan, const void* in, void* out);

SPOKELAB_API spokelab_status spokelab_plan_forward_on(spokelab_plan* plan, const void* image, void* samples,
                                                      void* stream);
SPOKELAB_API spokelab_status spokelab_plan_adjoint_on(spokelab_plan* plan, const void* samples, void* image,
                                                      void* stream);
SPOKELAB_API spokelab_status spokelab_plan_normal_on(spokelab_plan* plan, const void* in, void* out,
                                                     void* stream);

SPOKELAB_API int64_t spokelab_plan_points(const spokelab_plan* plan);
SPOKELAB_API int64_t spokelab_plan_pixels(const spokelab_plan* plan);
SPOKELAB_API double spokelab_plan_error(const spokelab_plan* plan);

SPOKELAB_API const char* spokelab_plan_text(spokelab_plan* plan);

SPOKELAB_API spokelab_status spokelab_type3_create(spokelab_context* context, int dims, int sign,
                                                   spokelab_precision precision, int64_t batch,
                                                   const spokelab_options* options, spokelab_type3** type3);
SPOKELAB_API void spokelab_type3_destroy(spokelab_type3* type3);

SPOKELAB_API spokelab_status spokelab_type3_set_points(spokelab_type3* type3, int64_t sources,
                                                       const double* source_points, int64_t targets,
                                                       const double* target_points);

SPOKELAB_API spokelab_status spokelab_type3_forward(spokelab_type3* type3, const void* source_values,
                                                    void* target_values);
SPOKELAB_API spokelab_status spokelab_type3_adjoint(spokelab_type3* type3, const void* target_values,
                                                    void* source_values);

SPOKELAB_API spokelab_status spokelab_type3_forward_on(spokelab_type3* type3, const void* source_values,
                                                       void* target_values, void* stream);
SPOKELAB_API spokelab_status spokelab_type3_adjoint_on(spokelab_type3* type3, const void* target_values,
                                                       void* source_values, void* stream);

SPOKELAB_API double spokelab_type3_error(const spokelab_type3* type3);
SPOKELAB_API const char* spokelab_type3_text(const spokelab_type3* type3);

SPOKELAB_API spokelab_status spokelab_gdft_create(spokelab_context* context, int dims, const int64_t* size,
                                                  spokelab_precision precision, int64_t samples,
                                                  const double* points, const double* times,
                                                  const double* field, const double* decay,
                                                  const double* gradient, const spokelab_options* options,
                                                  spokelab_transform** transform);
SPOKELAB_API void spokelab_gdft_destroy(spokelab_transform* transform);

SPOKELAB_API spokelab_status spokelab_gdft_forward(spokelab_transform* transform, const void* image,
                                                   void* samples);
SPOKELAB_API spokelab_status spokelab_gdft_adjoint(spokelab_transform* transform, const void* samples,
                                                   void* image);

SPOKELAB_API spokelab_status spokelab_gdft_forward_on(spokelab_transform* transform, const void* image,
                                                      void* samples, void* stream);
SPOKELAB_API spokelab_status spokelab_gdft_adjoint_on(spokelab_transform* transform, const void* samples,
                                                      void* image, void* stream);

SPOKELAB_API spokelab_status spokelab_density_weights(spokelab_context* context, int dims,
                                                      const int64_t* size, int64_t shots,
                                                      const int64_t* shot_offsets, const double* points,
                                                      const spokelab_options* options,
                                                      spokelab_progress progress, void* user,
                                                      double* weights);

SPOKELAB_API spokelab_status spokelab_sense_create(spokelab_context* context, int dims, const int64_t* size,
                                                   spokelab_precision precision, int coils, const float* maps,
                                                   int64_t samples, const double* points,
                                                   const spokelab_options* options, spokelab_sense** sense);
SPOKELAB_API void spokelab_sense_destroy(spokelab_sense* sense);

SPOKELAB_API spokelab_status spokelab_sense_set_weights(spokelab_sense* sense, const double* weights);

SPOKELAB_API spokelab_status spokelab_sense_set_field(spokelab_sense* sense, const double* times,
                                                      const double* field, const double* decay,
                                                      const double* gradient);

SPOKELAB_API spokelab_status spokelab_sense_set_phases(spokelab_sense* sense, int64_t shots,
                                                       const int64_t* shot_offsets, const double* phases);

SPOKELAB_API spokelab_status spokelab_sense_solve(spokelab_sense* sense, const void* values,
                                                  const spokelab_options* options, spokelab_progress progress,
                                                  void* user, void* image);

SPOKELAB_API spokelab_status spokelab_sense_solve_on(spokelab_sense* sense, const void* values,
                                                     const spokelab_options* options,
                                                     spokelab_progress progress, void* user, void* image,
                                                     void* stream);

SPOKELAB_API int spokelab_sense_iterations(const spokelab_sense* sense);
SPOKELAB_API const double* spokelab_sense_residuals(const spokelab_sense* sense);
SPOKELAB_API const char* spokelab_sense_text(const spokelab_sense* sense);

SPOKELAB_API spokelab_status spokelab_scan_read(const char* file, const char* const* choices, int count,
                                                spokelab_progress progress, void* user, spokelab_scan** scan);

SPOKELAB_API spokelab_status spokelab_scan_simulate(const char* const* options, int count,
                                                    spokelab_progress progress, void* user,
                                                    spokelab_scan** scan, spokelab_image** truth);

SPOKELAB_API spokelab_status spokelab_scan_create(int dims, const int64_t* size, const double* fov, int coils,
                                                  int64_t shots, const int64_t* shot_offsets,
                                                  const double* points, const double* times,
                                                  spokelab_precision precision, const void* values,
                                                  spokelab_scan** scan);

SPOKELAB_API spokelab_status spokelab_scan_set_array(spokelab_scan* scan, const char* name, int axes,
                                                     const int64_t* shape, const float* values);
SPOKELAB_API void spokelab_scan_destroy(spokelab_scan* scan);

SPOKELAB_API int spokelab_scan_dims(const spokelab_scan* scan);
SPOKELAB_API int spokelab_scan_coils(const spokelab_scan* scan);
SPOKELAB_API int spokelab_scan_slices(const spokelab_scan* scan);
SPOKELAB_API int spokelab_scan_frames(const spokelab_scan* scan);
SPOKELAB_API int64_t spokelab_scan_samples(const spokelab_scan* scan, int frame);
SPOKELAB_API spokelab_status spokelab_scan_size(const spokelab_scan* scan, int64_t size[3]);
SPOKELAB_API spokelab_status spokelab_scan_fov(const spokelab_scan* scan, double fov[3]);

SPOKELAB_API const double* spokelab_scan_points(const spokelab_scan* scan, int frame);
SPOKELAB_API const float* spokelab_scan_values(const spokelab_scan* scan, int frame, int slice, int coil);

SPOKELAB_API const char* spokelab_scan_json(spokelab_scan* scan);

SPOKELAB_API spokelab_status spokelab_reconstruct(spokelab_context* context, const spokelab_scan* scan,
                                                  const spokelab_options* options, spokelab_progress progress,
                                                  void* user, spokelab_image** image);
SPOKELAB_API void spokelab_image_destroy(spokelab_image* image);
SPOKELAB_API int spokelab_image_frames(const spokelab_image* image);
SPOKELAB_API spokelab_status spokelab_image_size(const spokelab_image* image, int64_t size[3]);
SPOKELAB_API spokelab_status spokelab_image_fov(const spokelab_image* image, double fov[3]);

SPOKELAB_API const float* spokelab_image_values(const spokelab_image* image);
SPOKELAB_API const double* spokelab_image_values_double(const spokelab_image* image);

SPOKELAB_API const char* spokelab_image_json(spokelab_image* image);

SPOKELAB_API spokelab_status spokelab_image_write(const spokelab_image* image, const char* file);

#ifdef __cplusplus
}
#endif

#endif
