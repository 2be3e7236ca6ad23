// The interpreter of a file in Python: a process that runs spokelab_plugin_host.py, which is beside
// this shared object. Numbers go through shared memory, words through a socket.
#ifndef SPOKELAB_PYTHON_HOST_H
#define SPOKELAB_PYTHON_HOST_H

#include <pthread.h>
#include <stddef.h>
#include <stdint.h>
#include <sys/types.h>

enum { max_line = 4096, host_ok = 0, host_no_memory = 2, host_failed = 3 };

typedef struct python_host {
  struct python_host* next;
  char* file;
  pid_t process;
  int socket, memory, life;  // descriptors; the interpreter ends when `life` is closed
  void* shared;
  size_t bytes;
  int64_t plans;         // made so far
  char words[max_line];  // of its last answer
  void* description;     // of the plug-in, by its kind
} python_host;

// All of these are called with the lock held.
extern pthread_mutex_t python_lock;

// Writes `why` to `text` and returns host_failed.
int host_fail(char* text, size_t text_size, const char* why);
// The same for want of memory; returns host_no_memory.
int host_lacks_memory(char* text, size_t text_size);
// The host that host_keep() was given for this file; NULL: the file has not been loaded.
python_host* host_of(const char* file);
// Starts the interpreter of a file. The caller then calls host_keep() or host_stop(). NULL: it
// cannot start, and `text` says why.
python_host* host_start(const char* file, char* text, size_t text_size);
// Adds the host to the list that host_of() searches.
void host_keep(python_host* h);
// Kills the interpreter and frees the host. The host must not be in the list.
void host_stop(python_host* h);
// Sends a line, which ends with \n, and waits for the answer in h->words: "ok FIELDS", or an
// error's code and its text. Returns host_ok or the code.
int host_ask(python_host* h, const char* line, char* text, size_t text_size);
// Makes h->shared at least `bytes` long. Pointers into it are invalid afterwards if it had to grow.
int host_reserve(python_host* h, size_t bytes, char* text, size_t text_size);
// Splits the last answer at its tabs into `count` fields, which point into h->words.
int host_fields(python_host* h, int count, char** field, char* text, size_t text_size);
// Copies `count` fields by malloc. Returns host_ok, or host_no_memory and leaves no copy.
int host_copies(int count, char** field, char** copy, char* text, size_t text_size);

#endif
