// A job of the command line on another machine (app/cli/remote/remote_job.h), as the window waits
// for it: on a worker thread.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "app/cli/remote/remote_job.h"
#include "engine/recon/run/reconstruction.h"

namespace spokelab {

// A job over ssh without questions: a window has no terminal. Throws Error.
cli::RemoteJob remoteJob(const std::string& host, const std::string& id = {});

// The files that a sent reconstruction writes, until its result is read. They are below the user's
// data folder, so that they are found again after the window was closed.
struct SentFiles {
  std::filesystem::path folder, image, report;
};
SentFiles sentFiles(const std::string& id);
std::vector<std::string> outputArguments(const SentFiles& files);
std::string shownCommand(const cli::RemoteRecord& record);

struct Arrival {
  std::vector<std::filesystem::path> files;      // at their places
  std::shared_ptr<const Reconstruction> result;  // null: the job was no reconstruction of this window
  std::string scan, fingerprint;                 // of the result: its name, and of its file
  std::string warning;                           // what could not be tidied up, in words
};

// Waits for its end and takes its outputs; then nothing of it is left there. `say` gets its log.
// Throws Error where the connection is lost, with how to go on, and where the job failed, with its
// reason; Cancelled.
Arrival awaitJob(const cli::RemoteJob& job, const std::function<void(const std::string&)>& say,
                 const Progress& progress);

}  // namespace spokelab
