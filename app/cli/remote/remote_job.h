// Runs a command of this program as a job on another machine: sends the input files, starts the
// job, and fetches its log and outputs. A lost connection ends the wait, not the job.
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

// Records of jobs whose outputs are not fetched yet, newest first.
std::vector<RemoteRecord> remoteRecords();
// Forgets a job on this machine only.
void dropRemoteRecord(const std::string& id);

class RemoteJob {
 public:
  // id: of a job that has begun; empty: a new job.
  RemoteJob(SshLink link, std::string id);
  const std::string& id() const { return id_; }
  const std::string& host() const { return link_.host(); }

  // Starts the job. words: of the command, without the program; files: its inputs and outputs here.
  // Inputs that do not exist here are taken for files there. Throws Cancelled, or Error without a
  // connection, the same version of the program, or room.
  void begin(const std::string& program, const std::vector<std::string>& words, const JobFiles& files,
             const Progress& progress);
  // Waits for the job's end and returns its exit code; `say` gets each line of its log. Throws
  // Error if the connection is lost, and Cancelled, after which the job continues. A killed job is
  // forgotten and throws Error.
  int wait(const std::function<void(const std::string&)>& say, const Progress& progress) const;
  // Fetches the outputs to their places and returns these (arrivals.h). Throws Error if outputs of
  // a successful job (exit code 0) are missing, and then keeps the job.
  std::vector<std::filesystem::path> fetch(int code, const Progress& progress) const;
  void stop(const Progress& progress) const;    // as Ctrl-C; wait() must follow
  void end(const Progress& progress) const;     // stops it, if it runs, and forgets it
  void forget(const Progress& progress) const;  // there and here

 private:
  std::string folder() const;  // the job's folder there, quoted for a shell
  void requireProgram(const std::string& program, const Progress& progress) const;
  void require(const SshEnd& end, const std::string& what) const;
  void dropThere(const Progress& progress) const;

  SshLink link_;
  std::string id_;
};

// The command's words with the names that its files have in the job's folder there.
std::vector<std::string> remoteWords(const std::vector<std::string>& words, const JobFiles& files);

}  // namespace spokelab::cli
