// Pictures, tables and image files out of the window: a drag to another program or folder, a click
// that copies. A file is written when the other program asks for it.
#pragma once

#include <QTemporaryDir>

#include <memory>

#include "app/gui/features/feature.h"

class QMimeData;

namespace spokelab {

class DragGrip;
struct DragContent;

class DragOutFeature : public Feature {
  Q_OBJECT

 public:
  DragOutFeature(Session& session, const Views& views, QObject* parent);

  // Connects the drag handles that the window has. Call it once, when all views are made.
  void connectGrips();
  // A picture as PNG, a table as text and CSV, and the file of it.
  std::unique_ptr<QMimeData> mimeOf(const DragContent& content);
  // The magnitude of a result as NIfTI; null if the result does not exist.
  std::unique_ptr<QMimeData> imageOf(int result);

 private:
  void start(QWidget* source, std::unique_ptr<QMimeData> data, const QPixmap& picture);
  void copy(const DragGrip& grip);
  QString fileNamed(const QString& name) const;

  QTemporaryDir folder_;  // other programs may read its files as long as the window is open
};

}  // namespace spokelab
