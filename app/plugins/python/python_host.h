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
  int socket, memory, life;  // life: the interpreter ends when it is closed
  void* shared;
  size_t bytes;
  int64_t plans;         // made so far
  char words[max_line];  // of its last answer
  void* description;     // of the plug-in, by its kind
} python_host;

// All of these are called with the lock held.
extern pthread_mutex_t python_lock;

int host_fail(char* text, size_t text_size, const char* why);
// The host of the file with a description; NULL: none yet.
python_host* host_of(const char* file);
// A new one, whose interpreter has started. NULL, with a text: it cannot start.
python_host* host_start(const char* file, char* text, size_t text_size);
void host_keep(python_host* h);
void host_stop(python_host* h);
// One line there and one back, in h->words, which begins with "ok " or an error's code.
int host_ask(python_host* h, const char* line, char* text, size_t text_size);
// Shared memory of at least so many bytes.
int host_reserve(python_host* h, size_t bytes, char* text, size_t text_size);
// Fields of the last answer, separated by tabs.
int host_fields(python_host* h, int count, char** field, char* text, size_t text_size);
char* host_copied(const char* text);

#endif
