// Parts of claims: groups of rows that differ in one thing alone, and votes over groups. Internal
// to the claims.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "engine/profile/study/claims/claims.h"

namespace spokelab {

using Rows = std::vector<StudyRow>;
using RowIs = std::function<bool(const StudyRow&)>;
using RowGroups = std::map<std::string, std::vector<const StudyRow*>>;

// Pattern, size, R, accuracy, direction and dimensions of a row's case; `more` adds to it.
std::string caseKey(const StudyRow& row);
// Rows that ran, in groups of one key; a variant is taken once from a group.
RowGroups grouped(const Rows& rows, const RowIs& taken,
                  const std::function<std::string(const StudyRow&)>& key);
RowGroups grouped(const Rows& rows, const RowIs& taken = {});

// The verdicts of single cases, as one.
class Votes {
 public:
  void add(ClaimVerdict verdict) {
    ++(verdict == ClaimVerdict::holds ? holds_ : verdict == ClaimVerdict::fails ? fails_ : unclear_);
  }
  void add(bool holds) { add(holds ? ClaimVerdict::holds : ClaimVerdict::fails); }
  void addRatio(double ratio) { ratios_.push_back(ratio); }
  // holds: in nine of ten of the decided cases, and half are decided. fails: in half of them.
  ClaimResult result() const;

 private:
  int holds_ = 0, fails_ = 0, unclear_ = 0;
  std::vector<double> ratios_;
};

// Votes for "`a` executes faster than `b`" by rank at 95 %, with the ratio of times b / a.
void voteFaster(Votes& votes, const StudyRow& a, const StudyRow& b);

// Votes for "`b` takes less than `bound` times as long as `a`", likewise.
void voteWithin(Votes& votes, const StudyRow& a, const StudyRow& b, double bound);

// Votes for "y is below (above) the bound": both quartiles have to be, where they are known.
void voteBelow(Votes& votes, const StudyRow& row, double bound, bool above = false);

// In each group a variant of `faster` against one of `slower`; of several the fastest.
ClaimResult fasterIn(const RowGroups& groups, const RowIs& faster, const RowIs& slower);
// In each line of a panel: y falls (rises) with x, by pairs (Kendall's tau beyond 0.5).
ClaimResult fallsWithX(const Rows& rows, const RowIs& taken = {}, bool rises = false);

RowIs variantIs(const std::string& start);  // the variant's name begins with it
RowIs variantHas(const std::string& part);

}  // namespace spokelab
