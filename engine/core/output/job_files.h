// Two rules for outputs. An output is never an input; files are compared by device and inode,
// through links. An output replaces only a file of a kind that the program writes.
#pragma once

#include <filesystem>
#include <string>
#include <vector>

namespace spokelab {

// The kind of an output decides which files it may replace. Raw data are never replaced, except raw
// data that the program wrote, by new raw data.
//   result, rawData: may replace a file of a kind that the program writes
//   state:           may replace others, too: a file that the program keeps (its wisdom), whose
//                    reader recognises it
//   words:           may replace others, too: standard output, which is appended to
enum class OutputKind { result, rawData, state, words };

// An output as it was declared.
struct JobOutput {
  std::filesystem::path file;  // absolute
  bool always;                 // a job that succeeds has written it
};

// A folder that gets files whose names the job itself finds: all of them begin and end so.
struct JobFolder {
  std::filesystem::path folder;  // absolute
  std::string prefix, suffix;    // "frame", ".png"
};

// The files that a job (a command, a window's life) reads and will write. It is asked before the
// work begins; during its lifetime no writer of this process replaces the files that it reads.
class JobFiles {
 public:
  JobFiles();
  ~JobFiles();
  JobFiles(const JobFiles&) = delete;
  JobFiles& operator=(const JobFiles&) = delete;

  // Throws Error where `file` is an output of the job. Empty: none.
  void reads(const std::filesystem::path& file);
  // Throws Error where `file` is an input, another output of the job, a file that it may not
  // replace, or cannot be written. An empty name is ignored; "-", standard output, only has to be
  // writable.
  void writes(const std::filesystem::path& file, OutputKind kind = OutputKind::result);
  // An output that a job may leave out, though it succeeds.
  void mayWrite(const std::filesystem::path& file);
  // A file in a folder that may not be there yet; the job may leave it out.
  void writesInto(const std::filesystem::path& folder, const std::filesystem::path& name);
  // Files in a folder that may not be there yet. An empty folder: none.
  void writesInto(const JobFolder& folder);
  // A file that the program keeps, such as its wisdom: read and written again, nobody else's
  // output.
  void keeps(const std::filesystem::path& file);

  // The inputs declared so far, as absolute paths.
  std::vector<std::filesystem::path> inputs() const;
  std::vector<std::filesystem::path> outputs() const;  // with kept files
  std::vector<JobOutput> results() const;              // without kept files
  std::vector<JobFolder> folders() const;

 private:
  void addOutput(const std::filesystem::path& file, OutputKind kind, bool always);
  friend void noteInput(const std::filesystem::path&);
  friend void requireReplaceable(const std::filesystem::path&, OutputKind);

  std::vector<std::filesystem::path> inputs_, outputs_;  // absolute
  std::vector<JobOutput> results_;
  std::vector<JobFolder> folders_;
};

// Readers of scans, images and documents say what they open: every job that is at work takes it for
// an input.
void noteInput(const std::filesystem::path& file);
// Throws Error where the regular file `target` holds what a `kind` may not replace. The rule
// belongs to a room that knows formats (scan/formats/acquisitions/raw_data.h); programs set it
// first thing in main().
using ReplaceRule = void (*)(const std::filesystem::path& target, OutputKind kind);
void setReplaceRule(ReplaceRule rule);
// From now on every file may be replaced (--force), except the files that a job reads.
void replaceForeignFiles();

// Throws Error where a job at work reads `target`, or the rule refuses it. Every writer asks.
void requireReplaceable(const std::filesystem::path& target, OutputKind kind = OutputKind::result);
// The same, and where it cannot be written: asked at once, not after a long computation.
void requireTarget(const std::filesystem::path& target, OutputKind kind = OutputKind::result);

}  // namespace spokelab
