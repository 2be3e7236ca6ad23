// An image in colours over the shown one: a map, another result, a file. It keeps its place in mm
// when another result is shown, and is removed with the scan.
#pragma once

#include "app/gui/features/feature.h"
#include "widgets/core/latest_job.h"

namespace spokelab {

class OverBar;
struct OverImage;

class OverlayFeature : public Feature {
  Q_OBJECT

 public:
  OverlayFeature(Session& session, const Views& views, QObject* parent);

  QAction* action() const { return action_; }  // asks for a file
  void open(const QString& file);
  // An image on another grid is resampled onto the grid of the shown one.
  void layOver(const std::shared_ptr<const Image>& image, const QString& name);
  void remove();
  OverBar* bar() const { return bar_; }

 private:
  void ask();
  void layResult(int id);
  void lay();
  void show(const std::shared_ptr<const OverImage>& over);

  QAction* action_;
  OverBar* bar_;
  std::shared_ptr<const Image> image_;  // as it was given; null: no image is over the shown one
  QString name_;
  LatestJob<std::shared_ptr<const OverImage>> laying_;
};

}  // namespace spokelab
