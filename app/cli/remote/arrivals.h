// The outputs of a job as another machine sends them. It is asked for each by its place, and can send
// nothing else: what it says only fills files that the job was to write, each once, and what does not keep
// to the order of these is an error.
//
//   "file N BYTES\n" and so many bytes, or "none N\n", for each output in its order
//   "more N BYTES NAME\n" and so many bytes, for files of the folder N
//   "end\n"
#pragma once

#include <filesystem>
#include <memory>
#include <set>
#include <string>
#include <string_view>
#include <vector>

#include "engine/core/atomic_file.h"
#include "engine/core/output/job_files.h"

namespace spokelab::cli {

// What a shell there runs, in the folder that holds the outputs below their absolute paths here.
std::string sendingScript(const std::vector<JobOutput>& outputs, const std::vector<JobFolder>& folders);

class Arrivals {
 public:
  Arrivals(std::string host, std::vector<JobOutput> outputs, std::vector<JobFolder> folders);
  ~Arrivals();
  Arrivals(const Arrivals&) = delete;
  Arrivals& operator=(const Arrivals&) = delete;

  // The next bytes of what is sent. Throws Error where they are not what was asked for, where a file may
  // not be replaced (engine/core/output/job_files.h) or there is no room.
  void take(std::string_view bytes);
  // After the last byte: puts what has come to its places. Throws Error where the end is missing.
  void commit(const Progress& progress);

  const std::vector<std::filesystem::path>& places() const { return places_; }
  // Outputs that a job which succeeds has written, and that were not there. All of them where nothing came.
  std::vector<std::filesystem::path> missing() const;

 private:
  void takeLine(const std::string& line);
  void begin(const std::filesystem::path& place, std::uintmax_t bytes);
  void write(std::string_view bytes);
  void closeFile();
  [[noreturn]] void refuse(const std::string& why) const;

  const std::string host_;
  const std::vector<JobOutput> outputs_;
  const std::vector<JobFolder> folders_;
  std::vector<std::unique_ptr<AtomicFile>> files_;
  std::vector<std::filesystem::path> places_, absent_;
  std::set<std::filesystem::path> seen_;
  std::string line_;
  std::size_t next_ = 0;     // output that is to come
  std::uintmax_t left_ = 0;  // bytes of the file that is coming
  int descriptor_ = -1;
  bool ended_ = false;
};

}  // namespace spokelab::cli
