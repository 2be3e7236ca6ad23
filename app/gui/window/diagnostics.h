// One file to send with a report of a problem: versions, machine, log, options. It holds nothing of
// the scan's data; it holds names of files and the reader's decisions only where the user says so.
#pragma once

#include <string>

class QMenu;

namespace spokelab {

class Session;
struct Views;

struct DiagnosticChoice {
  bool names = false;      // of files and scans, as they are in the log and in the options
  bool decisions = false;  // sizes, geometry, decisions and warnings of the scan that is open
};

// JSON. Without names, each is replaced by <scan>, <file> or <home>.
std::string diagnostics(Session& session, const Views& views, const DiagnosticChoice& choice);

void addDiagnostics(Session& session, const Views& views, QMenu* help);

}  // namespace spokelab
