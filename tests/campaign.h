// Campaigns: tests of random problems are short by default, and long on request.
//   SPOKELAB_CAMPAIGN=10       ten times the problems, drawn from another seed each run
//   SPOKELAB_CAMPAIGN_SEED=7   the seed of a run that is to be repeated
//
// A test that includes this file is labelled "campaign" in ctest; packaging/campaign runs them for
// an hour and adds up what they count.
#pragma once

#include <QByteArray>
#include <QDebug>

#include <algorithm>
#include <random>

namespace spokelab::test {

// Factor on the number of problems to draw, at least 1.
inline int campaignFactor() {
  return std::max(1, qEnvironmentVariableIntValue("SPOKELAB_CAMPAIGN"));
}

// The seed of a test's random problems: `base`, or, in a campaign, another for each run and each
// base. A campaign's seed is printed, so that a failure can be repeated.
inline unsigned campaignSeed(unsigned base) {
  if (campaignFactor() == 1) return base;
  bool given = false;
  const QByteArray text = qgetenv("SPOKELAB_CAMPAIGN_SEED");
  unsigned seed = text.toUInt(&given);
  if (!given) {
    static const unsigned drawn = std::random_device{}();
    seed = drawn;
  }
  qInfo("repeat with SPOKELAB_CAMPAIGN=%d SPOKELAB_CAMPAIGN_SEED=%u", campaignFactor(), seed);
  std::seed_seq mixed{base, seed};
  unsigned result = 0;
  mixed.generate(&result, &result + 1);
  return result;
}

// Says how many cases of a kind a test has been through; packaging/campaign adds these lines up.
inline void countCases(const char* kind, int cases) {
  qInfo("campaign: %s: %d", kind, cases);
}

}  // namespace spokelab::test
