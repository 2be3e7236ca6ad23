// Verdicts of both comparisons of timings: between runs, and with a baseline.
#pragma once

#include <memory>

#include "app/gui/features/feature.h"

namespace spokelab {

struct BaselineComparison;

// Asks for a file and writes the table into it, as CSV, on the worker.
void saveVerdicts(QObject* owner, Session& session, const Views& views,
                  const std::shared_ptr<const BaselineComparison>& comparison);

}  // namespace spokelab
