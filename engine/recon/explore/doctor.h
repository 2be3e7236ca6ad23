// The convention doctor: other ways to read a file, each with a small reconstruction, so that a
// person can see which one is right.
#pragma once

#include <filesystem>
#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "engine/core/progress.h"
#include "engine/recon/sense/backend.h"
#include "engine/scan/read/read_scan.h"

namespace spokelab {

struct Reading {
  std::string topic, choice;  // what to override; the first reading is the present one, with an empty topic
  std::string evidence;       // of the decision, or why this reading is offered
  std::shared_ptr<const Image> image;  // null where `failed` says why not
  std::string failed;
};

struct DoctorOptions {
  std::int64_t planarSize = 96, volumeSize = 40;  // pixels along an axis, at most
  int strongestCoils = 4;                         // that are looked at
  std::vector<std::string> topics;                // that are asked for; empty: all
};

// Decisions that change the picture and have alternatives: each alternative by itself, the others
// as they are. Reads one frame and the middle slice only. `seen` gets each reading when it is done.
// Throws Error where the file cannot be read as it is, Cancelled.
std::vector<Reading> otherReadings(const std::filesystem::path& file, const ReadOptions& options,
                                   Backend& backend, const DoctorOptions& doctor, const Progress& progress,
                                   const std::function<void(const Reading&)>& seen = {});

// The low frequencies of the first frame and slice, on a matrix of at most `size` along an axis;
// the strongest coils.
// Throws Error where fewer points are left than a picture needs.
Scan lowResolutionScan(const Scan& scan, std::int64_t size, int coils);

// The slice in the middle of the first frame: what a thumbnail shows.
Image middleSlice(const Image& image);

}  // namespace spokelab
