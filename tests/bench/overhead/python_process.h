// A Python that measures when it is told to (overhead.py): a line to it, a number back.
#pragma once

#include <sys/wait.h>
#include <unistd.h>

#include <array>
#include <cstdio>
#include <stdexcept>
#include <string>
#include <vector>

#include "engine/core/text.h"

namespace spokelab::bench {

class PythonProcess {
 public:
  PythonProcess(const std::string& python, const std::vector<std::string>& arguments) {
    std::array<int, 2> in{}, out{};
    if (pipe(in.data()) != 0 || pipe(out.data()) != 0) throw std::runtime_error("no pipe could be made");
    std::vector<std::string> texts{python, SPOKELAB_BENCH_FOLDER "/overhead.py"};
    texts.insert(texts.end(), arguments.begin(), arguments.end());
    std::vector<char*> pointers;
    for (std::string& text : texts) pointers.push_back(text.data());
    pointers.push_back(nullptr);
    process_ = fork();
    if (process_ == 0) {
      dup2(in[0], STDIN_FILENO);
      dup2(out[1], STDOUT_FILENO);
      for (const int file : {in[0], in[1], out[0], out[1]}) close(file);
      execvp(pointers[0], pointers.data());
      _exit(1);
    }
    close(in[0]);
    close(out[1]);
    to_ = fdopen(in[1], "w");
    from_ = fdopen(out[0], "r");
  }
  ~PythonProcess() {
    std::fclose(to_);
    std::fclose(from_);
    waitpid(process_, nullptr, 0);
  }
  PythonProcess(const PythonProcess&) = delete;
  PythonProcess& operator=(const PythonProcess&) = delete;

  // Microseconds a call.
  double turn() {
    std::fputs("\n", to_);
    std::fflush(to_);
    std::array<char, 64> line{};
    if (!std::fgets(line.data(), int(line.size()), from_))
      throw std::runtime_error("Python gave no number: is the package spokelab on its PYTHONPATH?");
    return leadingNumber(line.data());
  }

 private:
  pid_t process_ = -1;
  std::FILE *to_ = nullptr, *from_ = nullptr;
};

}  // namespace spokelab::bench
