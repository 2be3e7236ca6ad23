// A program's messages on stderr after a failure or a cancel.
#pragma once

#include <exception>
#include <string>

#include "engine/core/error.h"

namespace spokelab::cli {

void printError(const std::string& program, const std::string& what, const std::string& why,
                const std::string& remedy);
void printError(const std::string& program, const Error& error);

Error outOfMemory();
// The remedy for an exception that is not an Error; empty if none is known.
std::string remedyFor(const std::exception& error);

// Says so; -> the exit code. signal: 0 where none came.
int cancelled(const std::string& program, int signal);

}  // namespace spokelab::cli
