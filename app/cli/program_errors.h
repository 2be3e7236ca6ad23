// Prints a program's last message to stderr: a failure with reason and remedy, or a cancel.
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

// Prints "cancelled" and returns the exit code: 143 after SIGTERM, else 130. signal 0: none came.
int cancelled(const std::string& program, int signal);

}  // namespace spokelab::cli
