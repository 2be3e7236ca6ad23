#include "app/gui/features/scan/recent_files.h"

#include <QCryptographicHash>
#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QSettings>
#include <QStandardPaths>

namespace spokelab {
namespace {

constexpr qsizetype maxRecent = 10;
const QString recentKey = QStringLiteral("files/recent");

QString nameOf(const QString& path) {
  return QString::fromLatin1(QCryptographicHash::hash(path.toUtf8(), QCryptographicHash::Sha1).toHex());
}

QString textKey(const QString& path) {
  return QStringLiteral("files/recent-texts/") + nameOf(path);
}

QString pictureFile(const QString& path) {
  const QString folder = QStandardPaths::writableLocation(QStandardPaths::CacheLocation);
  return QStringLiteral("%1/recent/%2.png").arg(folder, nameOf(path));
}

void forget(QSettings& settings, const QString& path) {
  settings.remove(textKey(path));
  QFile::remove(pictureFile(path));
}

}  // namespace

QList<RecentFile> RecentFiles::all() {
  const QSettings settings;
  QList<RecentFile> files;
  for (const QString& path : settings.value(recentKey).toStringList())
    files << RecentFile{path, settings.value(textKey(path)).toString(), QImage(pictureFile(path))};
  return files;
}

void RecentFiles::add(const QString& file, const QString& text) {
  QSettings settings;
  const QString path = QFileInfo(file).absoluteFilePath();
  QStringList recent = settings.value(recentKey).toStringList();
  recent.removeAll(path);
  recent.prepend(path);
  while (recent.size() > maxRecent) forget(settings, recent.takeLast());
  settings.setValue(recentKey, recent);
  settings.setValue(textKey(path), text);
}

void RecentFiles::setPicture(const QString& file, const QImage& picture) {
  const QString path = QFileInfo(file).absoluteFilePath();
  if (!QSettings().value(recentKey).toStringList().contains(path)) return;
  const QString target = pictureFile(path);
  QDir().mkpath(QFileInfo(target).path());
  picture.save(target);  // one that cannot be kept is only missing
}

void RecentFiles::remove(const QString& file) {
  QSettings settings;
  QStringList recent = settings.value(recentKey).toStringList();
  recent.removeAll(file);
  settings.setValue(recentKey, recent);
  forget(settings, file);
}

}  // namespace spokelab
