// The history of results: the list, the shown result, their images in files and the
// command lines that make them again.
#pragma once

#include "app/gui/features/feature.h"
#include "engine/scan/formats/images/write_image.h"

namespace spokelab {

class ResultsFeature : public Feature {
  Q_OBJECT

 public:
  ResultsFeature(Session& session, const Views& views, QObject* parent);

  void saveImage(const HistoryEntry& entry, const std::filesystem::path& file,
                 const WriteOptions& options = {});
  void copyCommand(int id);  // to the clipboard; 0: of the shown result

  QAction* saveAction() const { return save_; }
  QAction* copyAction() const { return copy_; }

 private:
  void showResult(int id);
  void sayWhatComes();
  void chooseToSave(int id);
  const HistoryEntry* entryOf(int id) const;  // 0: the shown one

  QAction *save_, *copy_;
};

}  // namespace spokelab
