// Studies repeated on this machine, number beside number: of the JSON that a study or a replay
// wrote, or of a suite's results.json. What is counted or predicted, and errors that are measured
// with the same plan, have to come out the same; times, and choices that rest on them, may differ.
#pragma once

#include <filesystem>
#include <span>
#include <vector>

#include "engine/profile/results/replay_comparison.h"
#include "engine/profile/study/study.h"

namespace spokelab {

struct StudyRecord {
  std::filesystem::path file;
  std::vector<StudyResult> results;  // each study once
  std::vector<ReplayRow> origin;     // version and machine, then and now
  std::size_t sweeps = 0;            // cases of a suite that are sweeps over scans: not repeated
};

// True if the file is one of them, by its content.
bool isStudyRecord(const std::filesystem::path& file);

// Throws Error if it is neither, one share of several, or of a newer version.
StudyRecord readStudyRecord(const std::filesystem::path& file, const Progress& progress = {});

struct StudyReplay {
  std::vector<StudyResult> results;
  ReplayComparison comparison;
};

// Runs the requests of the record's studies again. Throws Error, Cancelled.
StudyReplay repeatStudies(const StudyRecord& record, std::span<NufftBackend* const> backends,
                          const Progress& progress);

// Rows of a study, each beside the row of the same case, variant and place in the chart; rows that
// one of the two lacks are told as missing.
std::vector<ReplayRow> compareStudies(const StudyResult& then, const StudyResult& now);

}  // namespace spokelab
