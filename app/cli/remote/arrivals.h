// Receives a job's outputs from another machine. The machine cannot choose files here: it only
// fills the outputs that the job was to write, each once and in order. Anything else is an error.
//
//   "file N BYTES\n" and BYTES bytes, or "none N\n", for each output in its order
//   "more N BYTES NAME\n" and BYTES bytes, for files of the folder N
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

// The script that sends the outputs. A shell runs it there, in the folder that holds the outputs
// below the absolute paths that they have here.
std::string sendingScript(const std::vector<JobOutput>& outputs, const std::vector<JobFolder>& folders);

class Arrivals {
 public:
  Arrivals(std::string host, std::vector<JobOutput> outputs, std::vector<JobFolder> folders);
  ~Arrivals();
  Arrivals(const Arrivals&) = delete;
  Arrivals& operator=(const Arrivals&) = delete;

  // Takes the next received bytes. Throws Error if they break this order, a file may not be
  // replaced (engine/core/output/job_files.h) or there is no room.
  void take(std::string_view bytes);
  // Moves the received files to their places. Throws Error if the end is missing.
  void commit(const Progress& progress);

  const std::vector<std::filesystem::path>& places() const { return places_; }
  // Outputs that a successful job always writes but that did not arrive; all if nothing did.
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
  std::set<std::filesystem::path> sentFiles_;
  std::string line_;
  std::size_t next_ = 0;               // the next output
  std::uintmax_t remainingBytes_ = 0;  // bytes still to come of the current file
  int descriptor_ = -1;
  bool ended_ = false;
};

}  // namespace spokelab::cli
