#include "engine/core/output/standard_files.h"

#include <fcntl.h>
#include <unistd.h>

#include <cerrno>
#include <initializer_list>

namespace spokelab {

void openStandardFiles() {
  for (const int file : {STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO})
    if (::fcntl(file, F_GETFD) < 0 && errno == EBADF)
      static_cast<void>(::open("/dev/null", O_RDONLY));  // takes the lowest number that is free: this one
}

}  // namespace spokelab
