// The report of a result: image, charts, numbers and the command line that repeats them, in a
// folder.
#pragma once

#include <functional>
#include <memory>

#include "app/gui/features/feature.h"

namespace spokelab {

struct NoiseMaps;
struct Report;

class ReportFeature : public Feature {
  Q_OBJECT

 public:
  ReportFeature(Session& session, const Views& views, QObject* parent);

  void write(const HistoryEntry& entry, const std::filesystem::path& folder);
  // Writes the report of a replay; its command line and charts are made here.
  void writeReplay(const Report& replayed, const QString& folder);

  // Maps of noise that a result has, for its report.
  using NoiseOf = std::function<std::shared_ptr<const NoiseMaps>(const Scan&, const ReconOptions&)>;
  void setNoise(NoiseOf noise) { noise_ = std::move(noise); }

  QAction* action() const { return action_; }

 private:
  struct DrawnReport;

  void chooseFolder();
  void addRegions(const HistoryEntry& entry, Report& report) const;
  void drawNextChart(const std::shared_ptr<DrawnReport>& drawn);
  void save(const Report& report, const std::filesystem::path& folder);
  void updateAction();

  QAction* action_;
  NoiseOf noise_;
};

}  // namespace spokelab
