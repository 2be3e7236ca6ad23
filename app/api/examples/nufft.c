// A tuned plan: image -> samples of a radial trajectory -> adjoint image.
#include <spokelab.h>

#include <complex.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

static void check(spokelab_status status) {
  if (status == SPOKELAB_OK) return;
  fprintf(stderr, "%s\n", spokelab_error_text());
  exit(EXIT_FAILURE);
}

int main(void) {
  enum { side = 128, spokes = 200, readout = 256, count = spokes * readout };
  const double pi = 3.14159265358979323846;
  const int64_t size[2] = {side, side};
  double* points = malloc(2 * count * sizeof *points);
  float complex* image = calloc(side * side, sizeof *image);
  float complex* samples = malloc(count * sizeof *samples);
  float complex* back = malloc(side * side * sizeof *back);
  if (!points || !image || !samples || !back) return EXIT_FAILURE;
  for (int s = 0; s < spokes; ++s)
    for (int i = 0; i < readout; ++i) {
      const double k = (double)i / readout - 0.5, angle = pi * s / spokes;  // cycles per pixel
      points[2 * (s * readout + i)] = k * cos(angle);
      points[2 * (s * readout + i) + 1] = k * sin(angle);
    }
  image[side / 2 * side + side / 2] = 1;  // a point in the middle: all samples are 1

  spokelab_context* context = NULL;
  spokelab_options* options = NULL;
  spokelab_plan* plan = NULL;
  check(spokelab_context_create(NULL, &context));
  check(spokelab_options_create(&options));
  check(spokelab_options_set(options, "accuracy", "1e-4"));
  check(spokelab_plan_tune(context, 2, size, -1, SPOKELAB_SINGLE, 1, options, count, points, NULL, NULL,
                           &plan));
  printf("%s\n", spokelab_plan_text(plan));
  check(spokelab_plan_forward(plan, image, samples));
  double worst = 0;
  for (int j = 0; j < count; ++j) worst = fmax(worst, cabs(samples[j] - 1));
  printf("largest difference from 1: %.1e\n", worst);
  check(spokelab_plan_adjoint(plan, samples, back));
  printf("adjoint in the middle: %.1f of %d samples\n", creal(back[side / 2 * side + side / 2]), count);

  spokelab_plan_destroy(plan);
  spokelab_options_destroy(options);
  spokelab_context_destroy(context);
  free(back);
  free(samples);
  free(image);
  free(points);
  return worst < 1e-2 ? EXIT_SUCCESS : EXIT_FAILURE;
}
