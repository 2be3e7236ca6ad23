// --trace FILE: what a command did when, for Perfetto and chrome://tracing
// (engine/core/measure/trace_json.h).
#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "app/cli/context.h"
#include "engine/core/measure/trace.h"

namespace spokelab::cli {

// Adds the option --trace, which sets `file`. what: the end of its help text, "Write ... to FILE",
// like "when which part of the job ran, on which thread".
void addTrace(CLI::App& app, std::string& file, const std::string& what);

// If a file is named, records the job's spans from construction on: the spans of this thread, of
// the pool's threads that work for it, and of its GPUs. The scope holds the recorder's address, so
// the object cannot move.
class TracedJob {
 public:
  TracedJob(const TracedJob&) = delete;
  TracedJob& operator=(const TracedJob&) = delete;
  explicit TracedJob(std::string file) : file_(std::move(file)) {
    if (!file_.empty()) scope_.emplace(&recorder_);
  }
  // The job ends: writes the file. The title is the span around all: "Sweep brain.h5".
  void write(const std::string& title, const Progress& progress);
  void say(CommandContext& context) const;  // names the written file

 private:
  std::string file_;
  TraceRecorder recorder_;
  std::optional<SpanScope> scope_;
};

}  // namespace spokelab::cli
