// reconstruct SCAN IMAGE [NAME=VALUE ...]: what `spokelab-cli reconstruct` does, from C.
#include <spokelab.h>

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static void check(spokelab_status status) {
  if (status == SPOKELAB_OK) return;
  fprintf(stderr, "%s\n", spokelab_error_text());
  exit(EXIT_FAILURE);
}

static int tell(double fraction, const char* what, void* user) {
  (void)user;
  fprintf(stderr, "\r%3.0f %% %-40s", 100 * fraction, what);
  return 0;
}

int main(int argc, char** argv) {
  if (argc < 3) {
    fprintf(stderr, "reconstruct SCAN IMAGE [NAME=VALUE ...], as in: demo image.nii.gz method=sense\n");
    return EXIT_FAILURE;
  }
  spokelab_options* options = NULL;
  check(spokelab_options_create(&options));
  for (int i = 3; i < argc; ++i) {
    char* value = strchr(argv[i], '=');
    if (!value) return EXIT_FAILURE;
    *value++ = 0;
    check(spokelab_options_set(options, argv[i], value));
  }
  spokelab_context* context = NULL;
  spokelab_scan* scan = NULL;
  spokelab_image* image = NULL;
  check(spokelab_context_create("", &context));
  check(spokelab_scan_read(argv[1], NULL, 0, tell, NULL, &scan));
  check(spokelab_reconstruct(context, scan, options, tell, NULL, &image));
  check(spokelab_image_write(image, argv[2]));
  int64_t size[3];
  check(spokelab_image_size(image, size));
  printf("\n%lld x %lld x %lld pixels, %d frames\n", (long long)size[0], (long long)size[1],
         (long long)size[2], spokelab_image_frames(image));
  spokelab_image_destroy(image);
  spokelab_scan_destroy(scan);
  spokelab_context_destroy(context);
  spokelab_options_destroy(options);
  return EXIT_SUCCESS;
}
