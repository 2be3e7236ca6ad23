// The dialog that runs studies of the papers.
#pragma once

#include <utility>

#include "app/gui/features/feature.h"
#include "engine/profile/study/study_page.h"

namespace spokelab {

class StudyView;

class StudiesFeature : public Feature {
  Q_OBJECT

 public:
  static constexpr JobKind job{.name = "study"};

  StudiesFeature(Session& session, const Views& views, QObject* parent);

  // Draws a study's report as PDF. Without it reports are HTML.
  void setDrawPdf(DrawStudyPdf draw) { drawPdf_ = std::move(draw); }

  QAction* action() const { return action_; }

 private:
  void show();
  void run(StudyView& view);
  void save(const StudyView& view, const QString& suffix);

  void saveReport(const StudyView& view);

  DrawStudyPdf drawPdf_;
  QAction* action_;
  int job_ = 0;  // id of the study that runs, or ran last
};

}  // namespace spokelab
