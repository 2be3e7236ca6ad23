#include "engine/scan/formats/arrays/npz_members.h"

#include <zip.h>

#include <algorithm>
#include <utility>

#include "engine/core/error.h"
#include "engine/core/text.h"

namespace spokelab {
namespace {

namespace fs = std::filesystem;

constexpr std::string_view memberExtension = ".npy";
constexpr zip_uint64_t maxMemberHeaderBytes = 1 << 16;
constexpr double maxCompressionRatio = 1100;  // of deflate
constexpr double minPackedBytes = 64;         // of a member that is shorter than any block
const char* const saveAgainWithNumpy = "Copy the file again, or write it again with numpy.savez";

using Member = std::unique_ptr<zip_file_t, int (*)(zip_file_t*)>;

class Archive {
 public:
  explicit Archive(const fs::path& file) : problem_("Cannot read " + file.string()) {
    int code = 0;
    zip_ = zip_open(file.c_str(), ZIP_RDONLY, &code);
    if (!zip_) {
      zip_error_t error;
      zip_error_init_with_code(&error, code);
      const std::string why = zip_error_strerror(&error);
      zip_error_fini(&error);
      fail(why);
    }
  }
  ~Archive() { zip_discard(zip_); }
  Archive(const Archive&) = delete;
  Archive& operator=(const Archive&) = delete;

  [[noreturn]] void fail(const std::string& reason) const {
    throw Error(problem_, "its archive is damaged (" + reason + ")", saveAgainWithNumpy);
  }
  const std::string& problem() const { return problem_; }
  zip_t* get() const { return zip_; }

  // Throws Error where the member promises more than its bytes can unpack to.
  zip_stat_t statOf(zip_uint64_t index) const {
    zip_stat_t stat;
    zip_stat_init(&stat);
    if (zip_stat_index(zip_, index, 0, &stat) != 0) fail(zip_strerror(zip_));
    constexpr zip_uint64_t needed = ZIP_STAT_NAME | ZIP_STAT_SIZE | ZIP_STAT_COMP_SIZE;
    if ((stat.valid & needed) != needed || !stat.name) fail("a member without name or size");
    if (double(stat.size) > (double(stat.comp_size) + minPackedBytes) * maxCompressionRatio)
      throw Error(problem_,
                  "its member " + std::string(stat.name) + " promises " + bytesText(double(stat.size)) +
                      ", which its " + bytesText(double(stat.comp_size)) + " cannot hold",
                  saveAgainWithNumpy);
    return stat;
  }
  Member open(zip_uint64_t index) const {
    Member member(zip_fopen_index(zip_, index, 0), zip_fclose);
    if (!member) fail(zip_strerror(zip_));
    return member;
  }
  void read(zip_file_t* member, char* data, std::size_t bytes) const {
    while (bytes > 0) {
      const zip_int64_t got = zip_fread(member, data, bytes);
      if (got < 0) fail(zip_file_strerror(member));
      if (got == 0) fail("a member ends before its numbers do");
      data += got;
      bytes -= std::size_t(got);
    }
  }

 private:
  std::string problem_;
  zip_t* zip_ = nullptr;
};

class MemberBytes final : public StreamedBytes {
 public:
  MemberBytes(const fs::path& file, const std::string& name)
      : archive_(file), member_(archive_.open(indexOf(archive_, name))) {}

 private:
  static zip_uint64_t indexOf(const Archive& archive, const std::string& name) {
    for (const std::string& candidate : {name + std::string(memberExtension), name}) {
      const zip_int64_t index = zip_name_locate(archive.get(), candidate.c_str(), 0);
      if (index >= 0) return zip_uint64_t(index);
    }
    archive.fail("it has no member " + name);
  }
  void next(char* data, std::size_t bytes, const Progress& progress) override {
    progress.checkpoint();
    archive_.read(member_.get(), data, bytes);
  }

  Archive archive_;
  Member member_;  // closed before the archive is
};

ArrayVariable variableOf(const Archive& archive, zip_uint64_t index, const zip_stat_t& stat) {
  ArrayVariable variable;
  variable.name = stat.name;
  variable.name.resize(variable.name.size() - memberExtension.size());
  std::string start(std::size_t(std::min<zip_uint64_t>(maxMemberHeaderBytes, stat.size)), '\0');
  archive.read(archive.open(index).get(), start.data(), start.size());
  const std::string problem = archive.problem() + ": " + variable.name;
  try {
    variable.header = parseNpyHeader(start, problem);
  } catch (const Error& e) {
    variable.unreadable = e.reason();
    return variable;
  }
  const double needed = double(variable.header.offset) + double(variable.header.bytes());
  if (needed > double(stat.size))
    variable.unreadable = "its header says " + shapeText(variable.header.shape) + " of " +
                          elementName(variable.header.type) + ", which take " + bytesText(needed) +
                          ", but it has " + bytesText(double(stat.size));
  return variable;
}

}  // namespace

std::vector<ArrayVariable> npzMembers(const fs::path& file) {
  const Archive archive(file);
  std::vector<ArrayVariable> all;
  const zip_int64_t count = zip_get_num_entries(archive.get(), 0);
  for (zip_int64_t i = 0; i < count; ++i) {
    const zip_stat_t stat = archive.statOf(zip_uint64_t(i));
    if (!std::string_view(stat.name).ends_with(memberExtension)) continue;
    if (all.size() >= maxVariables)
      throw Error(archive.problem(), "it holds more than " + std::to_string(maxVariables) + " arrays",
                  "Save the scan's arrays in a separate file");
    all.push_back(variableOf(archive, zip_uint64_t(i), stat));
  }
  return all;
}

std::unique_ptr<ArrayBytes> openNpzMember(const fs::path& file, const std::string& name) {
  return std::make_unique<MemberBytes>(file, name);
}

}  // namespace spokelab
