// The origin of measured numbers, for documents.
#pragma once

#include <string>

#include <nlohmann/json_fwd.hpp>

namespace spokelab {

// Machine, versions, time, command line: what every report starts with.
nlohmann::json provenance(const std::string& commandLine);
// Processor, threads and devices of a document's machine: "Intel Xeon, 16 threads, NVIDIA H200". A
// damaged document gets words.
std::string machineText(const nlohmann::json& provenance);
// "2026-11-21T20:59:46Z"
std::string timeNow();

}  // namespace spokelab
