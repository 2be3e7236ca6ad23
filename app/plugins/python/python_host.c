#define _GNU_SOURCE
#include "app/plugins/python/python_host.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <signal.h>
#include <spawn.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

extern char** environ;

enum { first_file = 10, socket_file = 3, memory_file = 4, life_file = 5 };

pthread_mutex_t python_lock = PTHREAD_MUTEX_INITIALIZER;
static python_host* hosts = NULL;

int host_fail(char* text, size_t text_size, const char* why) {
  snprintf(text, text_size, "%s", why);
  return host_failed;
}

int host_lacks_memory(char* text, size_t text_size) {
  host_fail(text, text_size, "there is not enough memory");
  return host_no_memory;
}

// Out of the way of the numbers that the interpreter finds its files at.
static int moved(int file) {
  const int high = fcntl(file, F_DUPFD_CLOEXEC, first_file);
  close(file);
  return high;
}

static int start(python_host* h, char* text, size_t text_size) {
  Dl_info here;
  char script[max_line], *slash;
  if (!dladdr((void*)(size_t)&host_start, &here) || !here.dli_fname)
    return host_fail(text, text_size, "this program's host of Python cannot be found");
  snprintf(script, sizeof script - sizeof "spokelab_plugin_host.py", "%s", here.dli_fname);
  slash = strrchr(script, '/');
  strcpy(slash ? slash + 1 : script, "spokelab_plugin_host.py");
  if (access(script, R_OK) != 0) {
    snprintf(text, text_size, "the program's file %s cannot be read: install the program again", script);
    return host_failed;
  }

  int sockets[2], life[2];
  if (socketpair(AF_UNIX, SOCK_STREAM | SOCK_CLOEXEC, 0, sockets) != 0) return host_fail(text, text_size, strerror(errno));
  if (pipe2(life, O_CLOEXEC) != 0) {
    close(sockets[0]);
    close(sockets[1]);
    return host_fail(text, text_size, strerror(errno));
  }
  h->socket = moved(sockets[0]);
  h->life = moved(life[1]);
  const int theirs = moved(sockets[1]), watched = moved(life[0]);
  h->memory = moved(memfd_create("spokelab-plugin", MFD_CLOEXEC));
  const char* interpreter = getenv("SPOKELAB_PYTHON");
  if (!interpreter || !*interpreter) interpreter = "python3";
  char* arguments[] = {(char*)(size_t)interpreter, script, h->file, NULL};
  posix_spawn_file_actions_t files;
  int failed = posix_spawn_file_actions_init(&files);
  if (!failed) {
    failed = posix_spawn_file_actions_adddup2(&files, theirs, socket_file);
    if (!failed) failed = posix_spawn_file_actions_adddup2(&files, h->memory, memory_file);
    if (!failed) failed = posix_spawn_file_actions_adddup2(&files, watched, life_file);
    if (!failed) failed = posix_spawnp(&h->process, interpreter, &files, NULL, arguments, environ);
    posix_spawn_file_actions_destroy(&files);
  }
  close(theirs);
  close(watched);
  if (!failed) return host_ok;
  h->process = 0;
  snprintf(text, text_size, "the interpreter %s cannot be started: %s", interpreter, strerror(failed));
  return host_failed;
}

int host_ask(python_host* h, const char* line, char* text, size_t text_size) {
  for (size_t sent = 0, all = strlen(line); sent < all;) {
    const ssize_t n = send(h->socket, line + sent, all - sent, MSG_NOSIGNAL);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return host_fail(text, text_size, "its interpreter has ended");
    sent += (size_t)n;
  }
  size_t got = 0;
  while (got == 0 || h->words[got - 1] != '\n') {
    const ssize_t n = recv(h->socket, h->words + got, sizeof h->words - 1 - got, 0);
    if (n < 0 && errno == EINTR) continue;
    if (n <= 0) return host_fail(text, text_size, "its interpreter has ended");
    got += (size_t)n;
    if (got == sizeof h->words - 1) break;
  }
  h->words[got > 0 ? got - 1 : 0] = '\0';
  if (strncmp(h->words, "ok", 2) == 0) return host_ok;
  char* why = h->words;
  const long code = strtol(h->words, &why, 10);
  host_fail(text, text_size, *why == ' ' ? why + 1 : why);
  return code > 0 && code <= host_failed ? (int)code : host_failed;
}

int host_reserve(python_host* h, size_t bytes, char* text, size_t text_size) {
  if (bytes <= h->bytes) return host_ok;
  if (h->shared) munmap(h->shared, h->bytes);
  h->shared = NULL;
  h->bytes = 0;
  if (ftruncate(h->memory, (off_t)bytes) != 0) return host_fail(text, text_size, strerror(errno));
  void* shared = mmap(NULL, bytes, PROT_READ | PROT_WRITE, MAP_SHARED, h->memory, 0);
  if (shared == MAP_FAILED) {
    host_fail(text, text_size, strerror(errno));
    return host_no_memory;
  }
  h->shared = shared;
  h->bytes = bytes;
  return host_ok;
}

static char* copied(const char* text) {
  char* copy = malloc(strlen(text) + 1);
  return copy ? strcpy(copy, text) : NULL;
}

python_host* host_of(const char* file) {
  python_host* h = hosts;
  while (h && strcmp(h->file, file) != 0) h = h->next;
  return h;
}

void host_stop(python_host* h) {
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

python_host* host_start(const char* file, char* text, size_t text_size) {
  python_host* h = calloc(1, sizeof *h);
  if (h) h->file = copied(file);
  if (!h || !h->file)
    host_lacks_memory(text, text_size);
  else if (start(h, text, text_size) == host_ok)
    return h;
  if (h) host_stop(h);
  return NULL;
}

void host_keep(python_host* h) {
  h->next = hosts;
  hosts = h;
}

int host_fields(python_host* h, int count, char** field, char* text, size_t text_size) {
  char* rest = h->words + 3;
  for (int i = 0; i < count; ++i)
    if (!(field[i] = strsep(&rest, "\t"))) return host_fail(text, text_size, "its description is incomplete");
  return host_ok;
}

int host_copies(int count, char** field, char** copy, char* text, size_t text_size) {
  int made = 0;
  while (made < count && (copy[made] = copied(field[made]))) ++made;
  if (made == count) return host_ok;
  while (made > 0) free(copy[--made]);
  return host_lacks_memory(text, text_size);
}
