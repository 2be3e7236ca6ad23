// Accounts of earlier jobs on this machine, kept beside the wisdom, and what they let one expect of
// the next: the stages of the most similar job, each scaled by its work.
#pragma once

#include <filesystem>
#include <vector>

#include "engine/recon/job/job_work.h"

namespace spokelab {

class Wisdom;

class JobHistory {
 public:
  // Without a file's name nothing is kept. A file that cannot be read is taken for an empty one.
  explicit JobHistory(std::filesystem::path file);
  // Keeps its file beside the wisdom's file; null, or wisdom without a file: keeps none.
  explicit JobHistory(const Wisdom* wisdom);

  // Seconds of each stage; total 0: no job of its kind is known.
  JobAccount forecast(const JobWork& work) const;
  // Stages that took no time are not learnt from. Never throws.
  void keep(const JobWork& work, const JobAccount& account);

 private:
  struct Entry {
    JobWork work;
    JobAccount account;
  };
  std::vector<Entry> read() const;  // the newest last
  void write(const std::string& text) const;

  std::filesystem::path file_;
};

// "about 3.4 s: maps 0.9 s, iterations 1.2 s, ..."; empty where nothing is known.
std::string forecastText(const JobAccount& forecast);

}  // namespace spokelab
