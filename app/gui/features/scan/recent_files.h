// The files that were open before, newest first: lines in the settings, pictures in the cache.
#pragma once

#include <QImage>
#include <QList>
#include <QString>

namespace spokelab {

struct RecentFile {
  QString file, text;  // its path; what it holds, and when it was open
  QImage picture;
};

class RecentFiles {
 public:
  static QList<RecentFile> all();
  static void add(const QString& file, const QString& text);  // first; a full list drops its last entry
  static void setPicture(const QString& file, const QImage& picture);  // of one that is listed
  static void remove(const QString& file);
};

}  // namespace spokelab
