// Arrays that do not say what their axes are: the dialog that describes them, the pictures of their
// readings, and the description's file.
#pragma once

#include <map>
#include <string>

#include "app/gui/features/feature.h"
#include "engine/scan/formats/arrays/array_header.h"
#include "engine/scan/read/description/propose_description.h"

namespace spokelab {

class DescribeDialog;

class DescribeFeature : public Feature {
  Q_OBJECT

 public:
  DescribeFeature(Session& session, const Views& views, QObject* parent);

  struct Proposal {
    ProposedDescription proposed;
    std::map<std::string, ArrayHeader> shapes;
  };
  static Proposal propose(const QString& array);  // throws Error; any thread
  void show(const QString& array, const Proposal& proposal);

 Q_SIGNALS:
  void described(const QString& file);  // to be opened
  void imageChosen(const QString& array);

 private:
  void makePictures(DescribeDialog& dialog, const std::filesystem::path& folder, const QString& text);
  void keepBeside(const QString& array, const QString& text);
  void askWhere(const QString& array, const QString& text);
  bool write(const QString& file, const QString& text);
};

}  // namespace spokelab
