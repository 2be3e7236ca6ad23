// A command of this program as a job on another machine: its input files go there, it runs there on
// its own, its log and its outputs come back. A lost connection ends the wait, not the job.
//
//   there: ~/.cache/spokelab/jobs/ID/  files/PATH (inputs)  results/PATH (outputs)  log  pid  status
//   here:  a record of the job's host and outputs, until they have come back
#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "app/cli/remote/ssh_link.h"
#include "engine/core/output/job_files.h"

namespace spokelab::cli {

struct RemoteRecord {
  std::string host;
  std::vector<std::filesystem::path> outputs;  // absolute
};

class RemoteJob {
 public:
  // id: of a job that was begun; empty: a new one.
  RemoteJob(SshLink link, std::string id);
  const std::string& id() const { return id_; }

  // words: of the command, without the program; files: what it reads and writes here. Files that are
  // not here are taken for files there. Throws Error; Cancelled.
  void begin(const std::string& program, const std::vector<std::string>& words, const JobFiles& files,
             const Progress& progress);
  // Prints its log as it comes and waits for its end. -> its exit code. Throws Error where the
  // connection is lost or the job was killed; Cancelled.
  int wait(const Progress& progress) const;
  // Its outputs, to their places; -> these.
  std::vector<std::filesystem::path> fetch(const Progress& progress) const;
  void stop(const Progress& progress) const;    // as Ctrl-C; its end is still to be waited for
  void forget(const Progress& progress) const;  // there and here

 private:
  std::string folder() const;  // there, for a shell
  std::filesystem::path recordFile() const;
  RemoteRecord record() const;
  void require(int code, const std::string& what) const;

  SshLink link_;
  std::string id_;
};

// The command's words with its files as they are named there, in the job's folder.
std::vector<std::string> remoteWords(const std::vector<std::string>& words, const JobFiles& files);

}  // namespace spokelab::cli
