// The rules that an output is never an input (by device and inode, through links) and never takes the
// place of raw data.
#pragma once

#include <filesystem>
#include <vector>

namespace spokelab {

// Raw data take the place of raw data that the program itself made; nothing else does.
enum class OutputKind { result, rawData };

// The files that a job (a command, a window's life) reads and will write. It is asked before the work
// begins; during its lifetime no writer of this process replaces the files that it reads.
class JobFiles {
 public:
  JobFiles();
  ~JobFiles();
  JobFiles(const JobFiles&) = delete;
  JobFiles& operator=(const JobFiles&) = delete;

  // Throws Error where `file` is an output of the job. Empty: none.
  void reads(const std::filesystem::path& file);
  // Throws Error where `file` is an input, another output of the job, raw data, or cannot be written.
  // Empty, or "-" for the words' place: none.
  void writes(const std::filesystem::path& file, OutputKind kind = OutputKind::result);
  // A file in a folder that may not be there yet.
  void writesInto(const std::filesystem::path& folder, const std::filesystem::path& name);
  // A file of the program's own, such as its wisdom: read and written again, nobody else's output.
  void keeps(const std::filesystem::path& file);

  // So far; absolute.
  std::vector<std::filesystem::path> inputs() const;
  std::vector<std::filesystem::path> outputs() const;

 private:
  void addOutput(const std::filesystem::path& file, OutputKind kind);
  friend void noteInput(const std::filesystem::path&);
  friend void requireReplaceable(const std::filesystem::path&, OutputKind);

  std::vector<std::filesystem::path> inputs_, outputs_;  // absolute
};

// Readers of scans, images and documents say what they open: every job that is at work takes it for
// an input.
void noteInput(const std::filesystem::path& file);
// Throws Error where the regular file `target` holds raw data that a `kind` may not replace. The rule
// belongs to a room that knows formats (scan/formats/acquisitions/raw_data.h); programs set it first
// thing in main().
using RawDataRule = void (*)(const std::filesystem::path& target, OutputKind kind);
void setRawDataRule(RawDataRule rule);

// Throws Error where a job at work reads `target`, or it is raw data. Every writer asks.
void requireReplaceable(const std::filesystem::path& target, OutputKind kind = OutputKind::result);
// The same, and where it cannot be written: asked at once, not after a long computation.
void requireTarget(const std::filesystem::path& target, OutputKind kind = OutputKind::result);

}  // namespace spokelab
