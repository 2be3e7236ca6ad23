// Repeats a report (engine/profile/report/replay.h): the same work, and the same judgement, as
// `report --replay`.
#pragma once

#include "app/gui/features/feature.h"

namespace spokelab {

struct Report;

class ReplayFeature : public Feature {
  Q_OBJECT

 public:
  ReplayFeature(Session& session, const Views& views, QObject* parent);

  // The report's scan becomes the open one, its result a result.
  // scanFile: the scan's path on this machine; empty: the report's path.
  void replay(const QString& reportJson, const QString& scanFile = {});

  QAction* action() const { return action_; }

 Q_SIGNALS:
  // The user wants a report of the replay.
  void writeRequested(const spokelab::Report& replayed, const QString& folder);

 private:
  void chooseReport();
  void askForScan(const QString& report, const QString& scan);
  void showReplay(const std::shared_ptr<const Report>& report);
  void chooseFolder(const std::shared_ptr<const Report>& report);

  QAction* action_;
};

// True if the file is a report.json, by its content.
bool isReport(const std::filesystem::path& file);

}  // namespace spokelab
