// The dialog that runs studies of the papers.
#pragma once

#include "app/gui/features/feature.h"

namespace spokelab {

class StudyView;

class StudiesFeature : public Feature {
  Q_OBJECT

 public:
  static constexpr JobKind job{.name = "study"};

  StudiesFeature(Session& session, const Views& views, QObject* parent);

  QAction* action() const { return action_; }

 private:
  void show();
  void run(StudyView& view);
  void save(const StudyView& view, const QString& suffix);

  QAction* action_;
  int job_ = 0;  // id of the study that runs, or ran last
};

}  // namespace spokelab
