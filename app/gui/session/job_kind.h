// The owner of a job, and its relation to other jobs. Every feature names a distinct kind for each
// of its jobs, so that features never cancel each other's jobs.
#pragma once

#include <string_view>

namespace spokelab {

struct JobKind {
  std::string_view name;  // of unfinished jobs of one name the latest wins
  // The results of all other jobs would belong to another scan: they are cancelled.
  bool opensScan = false;
  // The user looks at the window and waits: the job runs between two candidates of a job that makes
  // way.
  bool urgent = false;
  bool makesWay = false;
  bool quiet = false;  // the list of jobs does not hear of it

  bool operator==(const JobKind& other) const { return name == other.name; }

  // The kinds that more than one feature asks about.
  static const JobKind open, preview, reconstruct, sweep;
};

inline constexpr JobKind JobKind::open{.name = "open", .opensScan = true};
inline constexpr JobKind JobKind::preview{.name = "preview", .urgent = true, .quiet = true};
inline constexpr JobKind JobKind::reconstruct{.name = "reconstruct", .urgent = true};
inline constexpr JobKind JobKind::sweep{.name = "sweep", .makesWay = true};

}  // namespace spokelab
