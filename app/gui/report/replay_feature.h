// Repeats a report (engine/profile/report/replay.h) or studies (profile/suite/study_replay.h): the
// same work, and the same judgement, as `report --replay` and `study --replay`.
#pragma once

#include "app/gui/features/feature.h"
#include "engine/profile/study/study_page.h"

namespace spokelab {

struct Report;
struct StudyReplay;

class ReplayFeature : public Feature {
  Q_OBJECT

 public:
  ReplayFeature(Session& session, const Views& views, QObject* parent);

  // The report's scan becomes the open one, its result a result.
  // scanFile: the scan's path on this machine; empty: the report's path.
  void replay(const QString& reportJson, const QString& scanFile = {});

  // Runs the studies of a study's JSON or of a suite's results.json again.
  void replayStudies(const QString& json);
  void setDrawPdf(DrawStudyPdf draw) { drawPdf_ = std::move(draw); }

  QAction* action() const { return action_; }

 Q_SIGNALS:
  // The user wants a report of the replay.
  void writeRequested(const spokelab::Report& replayed, const QString& folder);

 private:
  void chooseReport();
  void askForScan(const QString& report, const QString& scan);
  void showReplay(const std::shared_ptr<const Report>& report);
  void chooseFolder(const std::shared_ptr<const Report>& report);
  void choosePage(const QString& title, const std::shared_ptr<const StudyReplay>& replay);

  QAction* action_;
  DrawStudyPdf drawPdf_;
};

// True if the file can be repeated, by its content: a report.json, the JSON of a study, or the
// results.json of a suite.
bool isReport(const std::filesystem::path& file);

}  // namespace spokelab
