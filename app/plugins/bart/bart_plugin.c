// BART's transform (https://mrirecon.github.io/bart) as a plug-in: gNUFFTW's baseline on the CPU,
// with its fixed oversampling ratio of 2 and kernel of 3 cells. Its library is not packaged, so
// each execution runs the command `bart nufft`, with arrays as files in memory (/dev/shm): its
// times hold the program's start and the copies. It is made beside the plug-ins that a program
// looks for, as it has no place in a tuner: name its folder to a study.
#define _GNU_SOURCE
#include <errno.h>
#include <math.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/nufft/plugin/spokelab_plugin.h"

enum { adjoint_type = 1, max_path = 512, max_version = 64, header_dims = 16 };

extern char** environ;

typedef struct plan {
  spokelab_plugin_request request;
  int64_t count;
  char folder[max_path - 32];
  char threads[32];  // a setting of the environment
} plan;

// Runs bart with these words; its messages are dropped. Returns its exit code, or -1.
static int run_bart(char* const* words, char* threads) {
  size_t count = 0;
  while (environ[count]) ++count;
  char** settings = malloc((count + 2) * sizeof *settings);
  if (!settings) return -1;
  size_t kept = 0;
  for (size_t i = 0; i < count; ++i)
    if (!threads || strncmp(environ[i], "OMP_NUM_THREADS=", 16) != 0) settings[kept++] = environ[i];
  if (threads) settings[kept++] = threads;
  settings[kept] = NULL;
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_addopen(&files, STDOUT_FILENO, "/dev/null", 1, 0);
  posix_spawn_file_actions_addopen(&files, STDERR_FILENO, "/dev/null", 1, 0);
  pid_t child = 0;
  int status = -1;
  if (posix_spawnp(&child, "bart", &files, NULL, words, settings) == 0)
    while (waitpid(child, &status, 0) < 0 && errno == EINTR)
      ;
  posix_spawn_file_actions_destroy(&files);
  free(settings);
  return WIFEXITED(status) ? WEXITSTATUS(status) : -1;
}

const spokelab_plugin_description* spokelab_plugin_describe(const char* file, char* text, size_t text_size) {
  static char version[max_version];
  static spokelab_plugin_description description = {
      .abi = SPOKELAB_PLUGIN_ABI,
      .name = "bart",
      .version = version,
      .license = "BSD-3-Clause",
      .summary = "Berkeley Advanced Reconstruction Toolbox, by its command",
      .dims = 2 | 4,
      .precisions = SPOKELAB_PLUGIN_SINGLE,
  };
  (void)file;
  FILE* told = popen("bart version 2>/dev/null", "r");
  const int known = told && fgets(version, sizeof version, told);
  if (told) pclose(told);
  if (!known) {
    snprintf(text, text_size, "the command \"bart\" does not run here");
    return NULL;
  }
  version[strcspn(version, "\n")] = '\0';
  return &description;
}

static int failed(const char* what, char* text, size_t text_size) {
  snprintf(text, text_size, "%s", what);
  return SPOKELAB_PLUGIN_FAILED;
}

static void path_of(const plan* p, const char* name, const char* end, char* path) {
  snprintf(path, max_path, "%s/%s%s", p->folder, name, end);
}

// Writes an array as BART reads it: dimensions, and numbers.
static int write_array(const plan* p, const char* name, const int64_t size[4], const float* values) {
  char path[max_path];
  path_of(p, name, ".hdr", path);
  FILE* to = fopen(path, "w");
  if (!to) return 0;
  fprintf(to, "# Dimensions\n");
  for (int d = 0; d < header_dims; ++d) fprintf(to, "%lld ", (long long)(d < 4 ? size[d] : 1));
  fprintf(to, "\n");
  int done = fclose(to) == 0;
  path_of(p, name, ".cfl", path);
  to = fopen(path, "wb");
  if (!to) return 0;
  const size_t count = 2 * (size_t)(size[0] * size[1] * size[2] * size[3]);
  done = fwrite(values, sizeof *values, count, to) == count && done;
  return fclose(to) == 0 && done;
}

static int read_array(const plan* p, const char* name, float* values, size_t count, float factor) {
  char path[max_path];
  path_of(p, name, ".cfl", path);
  FILE* from = fopen(path, "rb");
  if (!from) return 0;
  const int done = fread(values, sizeof *values, count, from) == count;
  fclose(from);
  for (size_t i = 0; i < count; ++i) values[i] *= factor;
  return done;
}

int spokelab_plugin_plan(const spokelab_plugin_request* request, void** made, spokelab_plugin_report* report,
                         char* text, size_t text_size) {
  for (int d = 0; d < request->dims; ++d)
    if (request->size[d] % 2) {
      snprintf(text, text_size, "its sizes are even, not %lld", (long long)request->size[d]);
      return SPOKELAB_PLUGIN_UNSUPPORTED;
    }
  plan* p = calloc(1, sizeof *p);
  if (!p) return SPOKELAB_PLUGIN_NO_MEMORY;
  p->request = *request;
  snprintf(p->threads, sizeof p->threads, "OMP_NUM_THREADS=%d", (int)request->threads);
  struct stat memory;
  const char* const root = stat("/dev/shm", &memory) == 0 ? "/dev/shm" : "/tmp";
  snprintf(p->folder, sizeof p->folder, "%s/spokelab-bart-XXXXXX", root);
  if (!mkdtemp(p->folder)) {
    free(p);
    return failed("a folder for its arrays could not be made", text, text_size);
  }
  report->alpha = 2;
  report->width = 3;
  for (int d = 0; d < request->dims; ++d) report->grid[d] = 2 * request->size[d];
  *made = p;
  return SPOKELAB_PLUGIN_OK;
}

// BART's trajectory: three coordinates in cycles per field of view, as complex numbers.
int spokelab_plugin_set_points(void* made, int64_t count, const double* x, const double* y, const double* z,
                               char* text, size_t text_size) {
  plan* p = made;
  const double* const axes[3] = {x, y, z};
  const double sign = p->request.sign > 0 ? -1 : 1;  // its exponent is -2 pi i
  p->count = count;
  if (count == 0) return SPOKELAB_PLUGIN_OK;
  float* values = calloc((size_t)(6 * count), sizeof *values);
  if (!values) return SPOKELAB_PLUGIN_NO_MEMORY;
  for (int d = 0; d < p->request.dims; ++d)
    for (int64_t j = 0; j < count; ++j)
      values[6 * j + 2 * d] = (float)(sign * axes[d][j] * (double)p->request.size[d]);
  const int64_t size[4] = {3, count, 1, 1};
  const int done = write_array(p, "points", size, values);
  free(values);
  return done ? SPOKELAB_PLUGIN_OK : failed("its points could not be written", text, text_size);
}

int spokelab_plugin_execute(void* made, int32_t type, const void* from, void* to, char* text,
                            size_t text_size) {
  plan* p = made;
  const int adjoint = type == adjoint_type;
  const int64_t *n = p->request.size, batch = p->request.batch, pixels = n[0] * n[1] * n[2];
  if (p->count == 0) {
    if (adjoint) memset(to, 0, sizeof(float) * 2 * (size_t)(pixels * batch));
    return SPOKELAB_PLUGIN_OK;
  }
  const int64_t images[4] = {n[0], n[1], n[2], batch}, samples[4] = {1, p->count, 1, batch};
  if (!write_array(p, "in", adjoint ? samples : images, from))
    return failed("its input could not be written", text, text_size);
  char points[max_path], in[max_path], out[max_path], size[96];
  path_of(p, "points", "", points);
  path_of(p, "in", "", in);
  path_of(p, "out", "", out);
  snprintf(size, sizeof size, "%lld:%lld:%lld", (long long)n[0], (long long)n[1], (long long)n[2]);
  char* back[] = {"bart", "nufft", "-P", "-a", "-d", size, points, in, out, NULL};
  char* there[] = {"bart", "nufft", "-P", points, in, out, NULL};
  if (run_bart(adjoint ? back : there, p->threads) != 0)
    return failed("the command bart nufft failed", text, text_size);
  // BART's transform is scaled to be unitary on a Cartesian grid.
  const size_t count = 2 * (size_t)(batch * (adjoint ? pixels : p->count));
  if (!read_array(p, "out", to, count, (float)sqrt((double)pixels)))
    return failed("its result could not be read", text, text_size);
  return SPOKELAB_PLUGIN_OK;
}

void spokelab_plugin_destroy(void* made) {
  static const char* const names[] = {"points", "in", "out"};
  plan* p = made;
  if (!p) return;
  char path[max_path];
  for (int i = 0; i < 3; ++i)
    for (int header = 0; header < 2; ++header) {
      path_of(p, names[i], header ? ".hdr" : ".cfl", path);
      unlink(path);
    }
  rmdir(p->folder);
  free(p);
}
