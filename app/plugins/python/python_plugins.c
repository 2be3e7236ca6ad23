// Serves plug-ins that are written in Python: each file has an interpreter of its own, a process
// that runs spokelab_plugin_host.py, which lies beside this shared object. Numbers go through
// shared memory, words through a socket. Calls of one file's plans wait for each other.
#define _GNU_SOURCE
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

#include "engine/nufft/plugin/spokelab_plugin.h"

extern char** environ;

enum { max_line = 4096, max_alphas = 8, first_file = 10, socket_file = 3, memory_file = 4, life_file = 5 };

typedef struct host {
  struct host* next;
  char* file;
  pid_t process;
  int socket, memory, life;  // life: the interpreter ends when it is closed
  void* shared;
  size_t bytes;
  int64_t plans;  // made so far
  char words[max_line];
  double alphas[max_alphas];
  spokelab_plugin_description description;
} host;

typedef struct plan {
  host* of;
  int64_t id, points, batch, pixels;
  int dims;
  size_t number;  // bytes of a complex number
} plan;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static host* hosts = NULL;

static int fail(char* text, size_t text_size, const char* why) {
  snprintf(text, text_size, "%s", why);
  return SPOKELAB_PLUGIN_FAILED;
}

// Out of the way of the numbers that the interpreter finds its files at.
static int moved(int file) {
  const int high = fcntl(file, F_DUPFD_CLOEXEC, first_file);
  close(file);
  return high;
}

static int start(host* h, char* text, size_t text_size) {
  Dl_info here;
  char script[max_line], *slash;
  if (!dladdr((void*)(size_t)&spokelab_plugin_describe, &here) || !here.dli_fname)
    return fail(text, text_size, "this program's host of Python cannot be found");
  snprintf(script, sizeof script - sizeof "spokelab_plugin_host.py", "%s", here.dli_fname);
  slash = strrchr(script, '/');
  strcpy(slash ? slash + 1 : script, "spokelab_plugin_host.py");

  int sockets[2], life[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) return fail(text, text_size, strerror(errno));
  if (pipe2(life, O_CLOEXEC) != 0) {
    close(sockets[0]);
    close(sockets[1]);
    return fail(text, text_size, strerror(errno));
  }
  h->socket = moved(sockets[0]);
  h->life = moved(life[1]);
  const int theirs = moved(sockets[1]), watched = moved(life[0]);
  h->memory = moved(memfd_create("spokelab-plugin", MFD_CLOEXEC));
  const char* interpreter = getenv("SPOKELAB_PYTHON");
  if (!interpreter || !*interpreter) interpreter = "python3";
  char* arguments[] = {(char*)(size_t)interpreter, script, h->file, NULL};
  posix_spawn_file_actions_t files;
  posix_spawn_file_actions_init(&files);
  posix_spawn_file_actions_adddup2(&files, theirs, socket_file);
  posix_spawn_file_actions_adddup2(&files, h->memory, memory_file);
  posix_spawn_file_actions_adddup2(&files, watched, life_file);
  const int failed = posix_spawnp(&h->process, interpreter, &files, NULL, arguments, environ);
  posix_spawn_file_actions_destroy(&files);
  close(theirs);
  close(watched);
  if (!failed) return SPOKELAB_PLUGIN_OK;
  h->process = 0;
  snprintf(text, text_size, "the interpreter %s cannot be started: %s", interpreter, strerror(failed));
  return SPOKELAB_PLUGIN_FAILED;
}

// One line there and one back, which is left in h->words. The answer begins with "ok " or the code
// of an error.
static int ask(host* h, const char* line, char* text, size_t text_size) {
  for (size_t sent = 0, all = strlen(line); sent < all;) {
    const ssize_t n = send(h->socket, line + sent, all - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return fail(text, text_size, "its interpreter has ended");
    sent += (size_t)n;
  }
  size_t got = 0;
  while (got == 0 || h->words[got - 1] != '\n') {
    const ssize_t n = recv(h->socket, h->words + got, sizeof h->words - 1 - got, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return fail(text, text_size, "its interpreter has ended");
    got += (size_t)n;
    if (got == sizeof h->words - 1) break;
  }
  h->words[got > 0 ? got - 1 : 0] = '\0';
  if (strncmp(h->words, "ok", 2) == 0) return SPOKELAB_PLUGIN_OK;
  char* why = h->words;
  const long code = strtol(h->words, &why, 10);
  fail(text, text_size, *why == ' ' ? why + 1 : why);
  return code > 0 && code <= SPOKELAB_PLUGIN_FAILED ? (int)code : SPOKELAB_PLUGIN_FAILED;
}

// Shared memory of at least so many bytes.
static int reserve(host* h, size_t bytes, char* text, size_t text_size) {
  if (bytes <= h->bytes) return SPOKELAB_PLUGIN_OK;
  if (h->shared) munmap(h->shared, h->bytes);
  h->shared = NULL;
  h->bytes = 0;
  if (ftruncate(h->memory, (off_t)bytes) != 0) return fail(text, text_size, strerror(errno));
  void* shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, h->memory, 0);
  if (shared == MAP_FAILED) {
    fail(text, text_size, strerror(errno));
    return SPOKELAB_PLUGIN_NO_MEMORY;
  }
  h->shared = shared;
  h->bytes = bytes;
  return SPOKELAB_PLUGIN_OK;
}

static char* copied(const char* text) {
  char* copy = malloc(strlen(text) + 1);
  return copy ? strcpy(copy, text) : NULL;
}

// The answer: fields separated by tabs.
static int take_description(host* h, char* text, size_t text_size) {
  enum { fields = 7 };
  char* field[fields] = {NULL};
  char *rest = h->words + 3, *alphas, *number;
  for (int i = 0; i < fields; ++i)
    if (!(field[i] = strsep(&rest, "\t"))) return fail(text, text_size, "its description is incomplete");
  spokelab_plugin_description* d = &h->description;
  d->abi = SPOKELAB_PLUGIN_ABI;
  d->name = copied(field[0]);
  d->version = copied(field[1]);
  d->license = copied(field[2]);
  d->summary = copied(field[3]);
  d->dims = (uint32_t)strtoul(field[4], NULL, 10);
  d->precisions = (uint32_t)strtoul(field[5], NULL, 10);
  alphas = field[6];
  while (d->alpha_count < max_alphas && (number = strsep(&alphas, ",")))
    if (*number) h->alphas[d->alpha_count++] = strtod(number, NULL);
  d->alphas = h->alphas;
  return d->name && d->version && d->license && d->summary ? SPOKELAB_PLUGIN_OK : SPOKELAB_PLUGIN_NO_MEMORY;
}

static host* host_of(const char* file) {
  host* h = hosts;
  while (h && strcmp(h->file, file) != 0) h = h->next;
  return h;
}

static void stop(host* h) {
  if (h->socket > 0) close(h->socket);
  if (h->life > 0) close(h->life);
  if (h->memory > 0) close(h->memory);
  if (h->process > 0) {
    kill(h->process, SIGKILL);
    waitpid(h->process, NULL, 0);
  }
  free(h->file);
  free(h);
}

const spokelab_plugin_description* spokelab_plugin_describe(const char* file, char* text, size_t text_size) {
  pthread_mutex_lock(&lock);
  host* h = host_of(file);
  if (!h) {
    h = calloc(1, sizeof *h);
    if (h) h->file = copied(file);
    if (h && h->file && start(h, text, text_size) == SPOKELAB_PLUGIN_OK &&
        ask(h, "describe\n", text, text_size) == SPOKELAB_PLUGIN_OK &&
        take_description(h, text, text_size) == SPOKELAB_PLUGIN_OK) {
      h->next = hosts;
      hosts = h;
    } else if (h) {
      stop(h);
      h = NULL;
    }
  }
  pthread_mutex_unlock(&lock);
  return h ? &h->description : NULL;
}

int spokelab_plugin_plan(const spokelab_plugin_request* r, void** made, spokelab_plugin_report* report,
                         char* text, size_t text_size) {
  char line[max_line];
  plan* p = calloc(1, sizeof *p);
  if (!p) return SPOKELAB_PLUGIN_NO_MEMORY;
  pthread_mutex_lock(&lock);
  int code = SPOKELAB_PLUGIN_FAILED;
  p->of = host_of(r->file);
  if (p->of) {
    p->id = ++p->of->plans;
    snprintf(line, sizeof line, "plan %lld %d %lld %lld %lld %d %d %lld %.17g %.17g %d\n", (long long)p->id, r->dims,
             (long long)r->size[0], (long long)r->size[1], (long long)r->size[2], r->precision, r->sign,
             (long long)r->batch, r->accuracy, r->alpha, r->threads);
    code = ask(p->of, line, text, text_size);
  } else {
    fail(text, text_size, "it was not described before");
  }
  if (code == SPOKELAB_PLUGIN_OK) {
    long long grid[3] = {0, 0, 0}, memory = 0;
    sscanf(p->of->words, "ok %lf %lf %lld %lld %lld %lld", &report->alpha, &report->width, &grid[0], &grid[1],
           &grid[2], &memory);
    for (int d = 0; d < 3; ++d) report->grid[d] = grid[d];
    report->memory = memory;
    p->dims = r->dims;
    p->batch = r->batch;
    p->pixels = r->size[0] * r->size[1] * r->size[2];
    p->number = r->precision == SPOKELAB_PLUGIN_SINGLE ? 2 * sizeof(float) : 2 * sizeof(double);
    *made = p;
  } else {
    free(p);
  }
  pthread_mutex_unlock(&lock);
  return code;
}

int spokelab_plugin_set_points(void* made, int64_t count, const double* x, const double* y, const double* z,
                               char* text, size_t text_size) {
  plan* p = made;
  const double* axes[3] = {x, y, z};
  char line[max_line];
  const size_t bytes = sizeof(double) * (size_t)count;
  pthread_mutex_lock(&lock);
  int code = reserve(p->of, (size_t)p->dims * bytes + 1, text, text_size);
  if (code == SPOKELAB_PLUGIN_OK) {
    for (int d = 0; d < p->dims; ++d)
      if (bytes > 0) memcpy((char*)p->of->shared + (size_t)d * bytes, axes[d], bytes);
    snprintf(line, sizeof line, "points %lld %lld\n", (long long)p->id, (long long)count);
    code = ask(p->of, line, text, text_size);
  }
  p->points = code == SPOKELAB_PLUGIN_OK ? count : 0;
  pthread_mutex_unlock(&lock);
  return code;
}

int spokelab_plugin_execute(void* made, int32_t type, const void* from, void* to, char* text,
                            size_t text_size) {
  plan* p = made;
  char line[max_line];
  const size_t images = p->number * (size_t)(p->batch * p->pixels),
               samples = p->number * (size_t)(p->batch * p->points);
  const size_t in = type == 1 ? samples : images, out = type == 1 ? images : samples;
  pthread_mutex_lock(&lock);
  int code = reserve(p->of, in + out, text, text_size);
  if (code == SPOKELAB_PLUGIN_OK) {
    memcpy(p->of->shared, from, in);
    snprintf(line, sizeof line, "execute %lld %d\n", (long long)p->id, type);
    code = ask(p->of, line, text, text_size);
  }
  if (code == SPOKELAB_PLUGIN_OK) memcpy(to, (const char*)p->of->shared + in, out);
  pthread_mutex_unlock(&lock);
  return code;
}

void spokelab_plugin_destroy(void* made) {
  plan* p = made;
  char line[max_line], text[max_line];
  if (!p) return;
  pthread_mutex_lock(&lock);
  snprintf(line, sizeof line, "destroy %lld\n", (long long)p->id);
  ask(p->of, line, text, sizeof text);
  pthread_mutex_unlock(&lock);
  free(p);
}
