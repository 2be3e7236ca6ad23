// A command of this program as a job on another machine: its input files go there, it runs there on
// its own, its log and its outputs come back. A lost connection ends the wait, not the job.
//
//   there: ~/.cache/spokelab/jobs/ID/  files/PATH (inputs)  results/PATH (outputs)  log  pid  status
//   here:  a record of the job (user's data/spokelab/remote/ID.json), until its outputs have come back
#pragma once

#include <filesystem>
#include <functional>
#include <string>
#include <vector>

#include "app/cli/remote/ssh_link.h"
#include "engine/core/output/job_files.h"

namespace spokelab::cli {

struct RemoteRecord {
  std::string id, host, program;
  std::string command;  // "reconstruct scan.h5 -o image.npy"
  std::string begun;    // "2026-11-21T20:59:46Z"
  std::vector<JobOutput> outputs;
  std::vector<JobFolder> folders;
};

// Of all jobs whose outputs this user has not fetched yet, newest first.
std::vector<RemoteRecord> remoteRecords();
// Forgets a job here alone.
void dropRemoteRecord(const std::string& id);

class RemoteJob {
 public:
  // id: of a job that was begun; empty: a new one.
  RemoteJob(SshLink link, std::string id);
  const std::string& id() const { return id_; }
  const std::string& host() const { return link_.host(); }

  // words: of the command, without the program; files: what it reads and writes here. Files that are
  // not here are taken for files there. Throws Error (no connection, no program there or one of another
  // version, no room); Cancelled.
  void begin(const std::string& program, const std::vector<std::string>& words, const JobFiles& files,
             const Progress& progress);
  // Waits for its end; `say` gets its log as it comes, line by line. -> its exit code. Throws Error where
  // the connection is lost; Cancelled: the job goes on. A job that was killed is forgotten, and an Error.
  int wait(const std::function<void(const std::string&)>& say, const Progress& progress) const;
  // Its outputs, to their places; -> these. Nothing else is taken from there (arrivals.h). Throws Error
  // where outputs of a job that succeeded (exit code 0) are missing; the job is kept then.
  std::vector<std::filesystem::path> fetch(int code, const Progress& progress) const;
  void stop(const Progress& progress) const;    // as Ctrl-C; its end is still to be waited for
  void end(const Progress& progress) const;     // stops it, if it runs, and forgets it
  void forget(const Progress& progress) const;  // there and here

 private:
  std::string folder() const;  // there, for a shell
  void requireProgram(const std::string& program, const Progress& progress) const;
  void require(const SshEnd& end, const std::string& what) const;
  void dropThere(const Progress& progress) const;

  SshLink link_;
  std::string id_;
};

// The command's words with its files as they are named there, in the job's folder.
std::vector<std::string> remoteWords(const std::vector<std::string>& words, const JobFiles& files);

}  // namespace spokelab::cli
