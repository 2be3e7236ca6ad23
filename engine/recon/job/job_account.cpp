#include "engine/recon/job/job_account.h"

#include <algorithm>
#include <numeric>

#include "engine/core/text.h"

namespace spokelab {
void AccountRecorder::ended(const SpanRecord& span) {
  if (!span.booked && span.stage >= 0) account_.seconds[std::size_t(span.stage)] += span.seconds;
}

void tellStage(JobStage stage, double begin) {
  SpanRecord record{.name = jobStageNames[std::size_t(stage)], .stage = int(stage), .track = ownTrack()};
  record.begin = begin;
  record.end = now();
  record.seconds = record.end - begin;
  tellSpan(record);
}

void tellSeconds(JobStage stage, double seconds) {
  tellSpan({.name = jobStageNames[std::size_t(stage)], .stage = int(stage), .seconds = seconds, .sum = true});
}

double JobAccount::accounted() const {
  return std::accumulate(seconds.begin(), seconds.end(), 0.0);
}

double JobAccount::unaccounted() const {
  return std::max(0.0, total - accounted());
}

JobAccount& JobAccount::operator+=(const JobAccount& other) {
  for (std::size_t s = 0; s < jobStageCount; ++s) seconds[s] += other.seconds[s];
  total += other.total;
  return *this;
}

std::string accountText(const JobAccount& account) {
  std::string text;
  for (std::size_t s = 0; s < jobStageCount; ++s)
    if (account.seconds[s] > 0)
      text += std::string(jobStageNames[s]) + ' ' + secondsText(account.seconds[s]) + ", ";
  const double share = account.total > 0 ? account.unaccounted() / account.total : 0;
  return text + "unaccounted " + secondsText(account.unaccounted()) + " (" + percentText(share, 2) + ')';
}

}  // namespace spokelab
