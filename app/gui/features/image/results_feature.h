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
  // To the clipboard; 0: of the shown result.
  void copyCommand(int id);
  void copyPython(int id);
  void copyC(int id);

  // Sets the parameters to the options that made the result; 0: the shown one.
  void useParameters(int id);
  // To the clipboard: the slice that has the keyboard focus, else all views.
  void copyPicture();

  QAction* saveAction() const { return save_; }
  QAction* copyAction() const { return copy_; }
  QAction* pythonAction() const { return python_; }
  QAction* cAction() const { return c_; }
  QAction* useAction() const { return use_; }
  QAction* pictureAction() const { return picture_; }

 private:
  void showResult(int id);
  void sayWhatComes();
  void chooseToSave(int id);
  const HistoryEntry* entryOf(int id) const;  // 0: the shown one

  // The options that made the result, with its settled plan; empty, with a message, if it cannot be
  // made again.
  struct Made {
    std::shared_ptr<const Scan> scan;
    ReconOptions options;
    bool spread = false;  // a point spread function
  };
  std::optional<Made> madeBy(int id);
  void copy(const std::string& text);

  QAction *save_, *copy_, *python_, *c_, *use_, *picture_;
};

}  // namespace spokelab
