// Images before the result: a coarse one as soon as a scan is open, and those that follow the
// sliders.
#pragma once

#include <QElapsedTimer>
#include <QTimer>

#include "app/gui/features/feature.h"

namespace spokelab {

struct PreviewScan;

class PreviewFeature : public Feature {
  Q_OBJECT

 public:
  PreviewFeature(Session& session, const Views& views, QObject* parent);
  ~PreviewFeature() override;

  void previewOpened();  // the first look at a scan

 Q_SIGNALS:
  void reconstructRequested();  // with the parameters, where the sliders came to rest
  void followed();              // a preview is shown in place of the slices
  // A small, quick image of one frame, by the plan that the cost model finds for the options.
  void ready(std::shared_ptr<const spokelab::Image> image, const spokelab::PlanInfo& plan, double seconds);

 private:
  void connectSliders();
  // The latest request wins, and an unfinished one is dropped. A preview is not among the session's
  // results.
  void preview(const ReconOptions& options, int frame);
  void takeSliders(const ReconOptions& wanted);
  void keepFrame();
  void previewNow();
  void showPreview(const std::shared_ptr<const Image>& image, const PlanInfo& plan, double seconds);
  void showResultAgain(const JobState& state);

  std::shared_ptr<PreviewScan> prepared_;  // used by the worker only
  QTimer dragging_;                        // between two previews of a drag
  QElapsedTimer previewing_;
  int frame_ = 0;              // of the image before the preview
  bool frameRestored_ = true;  // that frame is shown again
};

}  // namespace spokelab
