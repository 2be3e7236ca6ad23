// Images from files: looked at by themselves, or as the reference while results are compared. The
// open scan and its results stay.
#pragma once

#include "app/gui/features/feature.h"

namespace spokelab {

class OpenImageFeature : public Feature {
  Q_OBJECT

 public:
  using Feature::Feature;

  void open(const QString& file);
  void take(const std::shared_ptr<const Reconstruction>& image);
  // Asks the user whether to open an array as an image. why: the reason that it is not part of a
  // scan.
  void ask(const std::shared_ptr<const Reconstruction>& image, const QString& why);

 Q_SIGNALS:
  void referenceRead(const spokelab::HistoryEntry& entry);  // while results are compared
  void fileUsed(const QString& file);
};

}  // namespace spokelab
