// --trace FILE: what a command did when, for Perfetto and chrome://tracing
// (engine/core/measure/trace_json.h).
#pragma once

#include <optional>
#include <string>

#include <CLI/CLI.hpp>

#include "app/cli/context.h"
#include "engine/core/measure/trace.h"

namespace spokelab::cli {

// what: "which part of the job ran when, on which thread".
void addTrace(CLI::App& app, std::string& file, const std::string& what);

// Records this thread's spans from its construction on, where a file is named.
class TracedJob {
 public:
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
