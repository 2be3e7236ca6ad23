#include "engine/scan/formats/acquisitions/hdf5_acquisitions.h"

#include <algorithm>
#include <cstring>
#include <optional>

#include "engine/core/error.h"
#include "engine/core/memory/memory_check.h"
#include "engine/core/text.h"
#include "engine/scan/formats/acquisitions/acquisition_types.h"
#include "engine/scan/formats/acquisitions/waveforms/hdf5_waveforms.h"
#include "engine/scan/formats/hdf5/hdf5_arena.h"

namespace spokelab {
namespace {

const char* const copyHdf5Again = "Copy the file again, or write it again with the program that made it";

Error unreadable(const std::filesystem::path& file, const std::string& reason) {
  return {"Cannot read " + file.string(), reason.empty() ? "the HDF5 file is damaged" : reason,
          copyHdf5Again};
}

const char* nameOf(AcquisitionMember member) {
  return member == AcquisitionMember::trajectory ? "traj" : "data";
}

struct GroupSearch {
  std::vector<std::string> withAcquisitions, others;
};

herr_t visitRoot(hid_t root, const char* name, const H5L_info_t*, void* out) {
  auto* search = static_cast<GroupSearch*>(out);
  (holdsAcquisitions(root, name) ? search->withAcquisitions : search->others).emplace_back(name);
  return 0;
}

std::size_t bytesOf(AcquisitionMember member, const std::vector<AcquisitionHead>& heads) {
  std::size_t floats = 0;
  for (const AcquisitionHead& head : heads) floats += std::size_t(floatsOf(head, member));
  return floats * sizeof(float);
}

Hdf5Handle rangeOf(hid_t dataset, hsize_t begin, hsize_t count) {
  Hdf5Handle space(H5Dget_space(dataset), H5Sclose);
  H5Sselect_hyperslab(space.get(), H5S_SELECT_SET, &begin, nullptr, &count, nullptr);
  return space;
}

}  // namespace

bool holdsAcquisitions(hid_t location, const std::string& group) {
  const std::string path = group + "/data";
  if (H5Lexists(location, group.c_str(), H5P_DEFAULT) <= 0) return false;
  if (H5Lexists(location, path.c_str(), H5P_DEFAULT) <= 0) return false;
  const Hdf5Handle data(H5Dopen2(location, path.c_str(), H5P_DEFAULT), H5Dclose);
  if (!data.valid()) return false;
  const Hdf5Handle type(H5Dget_type(data.get()), H5Tclose);
  return type.valid() && H5Tget_class(type.get()) == H5T_COMPOUND &&
         H5Tget_member_index(type.get(), "head") >= 0;
}

Hdf5Acquisitions::Hdf5Acquisitions(std::filesystem::path file, const std::string& group, LinkReach reach,
                                   Reading reading)
    : file_(std::move(file)) {
  fileBytes_ = std::int64_t(std::filesystem::file_size(file_));
  handle_ = openToRead(file_);
  linked_ = checkedLinks(handle_.get(), file_, reach);
  fileBytes_ += std::int64_t(linked_.bytes);
  openGroup(group);
  if (reading == Reading::fromHeaps) heaps_ = HeapValues::of(file_, handle_.get(), data_.get());
}

void Hdf5Acquisitions::fail(const std::string& reason) const {
  throw unreadable(file_, reason);
}

void Hdf5Acquisitions::openGroup(const std::string& wanted) {
  std::string group = wanted;
  if (group.empty() || !holdsAcquisitions(handle_.get(), group)) {
    GroupSearch found;
    if (H5Literate(handle_.get(), H5_INDEX_NAME, H5_ITER_NATIVE, nullptr, visitRoot, &found) < 0)
      fail(hdf5Reason());
    if (found.withAcquisitions.empty())
      throw Error("Cannot read " + file_.string(),
                  "it is an HDF5 file without ISMRMRD acquisitions (it holds: " +
                      (found.others.empty() ? "nothing" : joined(found.others)) + ")",
                  "Open the file that holds the raw data");
    if (found.withAcquisitions.size() > 1)
      throw Error("Cannot read " + file_.string(),
                  "no group is called \"" + wanted +
                      "\", and several hold acquisitions: " + joined(found.withAcquisitions),
                  "Name one of them as the data set");
    group = found.withAcquisitions.front();
  }
  data_ = Hdf5Handle(H5Dopen2(handle_.get(), (group + "/data").c_str(), H5P_DEFAULT), H5Dclose);
  if (!data_.valid()) fail(hdf5Reason());
  checkStorage();
  checkTypes();
  readXml(group);
  listArrays(group);
  takeWaveforms();
}

// The values must lie in this very file, and it must be long enough for them.
void Hdf5Acquisitions::checkStorage() {
  const Hdf5Handle creation(H5Dget_create_plist(data_.get()), H5Pclose);
  const Hdf5Handle space(H5Dget_space(data_.get()), H5Sclose), type(H5Dget_type(data_.get()), H5Tclose);
  if (!creation.valid() || !space.valid() || !type.valid()) fail(hdf5Reason());
  if (H5Pget_external_count(creation.get()) > 0 || H5Pget_layout(creation.get()) == H5D_VIRTUAL)
    fail("its acquisitions are stored in other files");
  count_ = H5Sget_simple_extent_npoints(space.get());
  if (count_ < 0) fail(hdf5Reason());
  if (H5Sget_simple_extent_ndims(space.get()) != 1) fail("its acquisitions are not a list");
  if (count_ == 0)
    throw Error("Cannot read " + file_.string(), "it holds no acquisitions (no shots)", copyHdf5Again);
  const double leastBytes = double(count_) * double(H5Tget_size(type.get()));
  if (H5Pget_nfilters(creation.get()) == 0 && leastBytes > double(fileBytes_))
    fail("it claims " + std::to_string(count_) + " acquisitions, which take " + bytesText(leastBytes) +
         ", but has " + bytesText(double(fileBytes_)));
  requireMemory(double(count_) * sizeof(AcquisitionHead), "Cannot read " + file_.string(),
                "the list of its " + std::to_string(count_) + " acquisitions", copyHdf5Again);
}

void Hdf5Acquisitions::checkTypes() {
  const Hdf5Handle type(H5Dget_type(data_.get()), H5Tclose);
  for (const auto member : {AcquisitionMember::trajectory, AcquisitionMember::data}) {
    const std::string name = nameOf(member);
    const int index = H5Tget_member_index(type.get(), name.c_str());
    if (index < 0) fail("its acquisitions have no member called " + name);
    const Hdf5Handle values(H5Tget_member_type(type.get(), unsigned(index)), H5Tclose);
    if (H5Tget_class(values.get()) != H5T_VLEN) fail("the member " + name + " is not of variable length");
    const Hdf5Handle element(H5Tget_super(values.get()), H5Tclose);
    const H5T_class_t kind = H5Tget_class(element.get());
    if (member == AcquisitionMember::data && kind == H5T_COMPOUND && H5Tget_nmembers(element.get()) == 2) {
      pairs_ = true;
      for (unsigned part = 0; part < 2; ++part) {
        char* text = H5Tget_member_name(element.get(), part);
        (part == 0 ? real_ : imaginary_) = text ? text : "";
        H5free_memory(text);
      }
    } else if (kind != H5T_FLOAT) {
      fail("the member " + name + " does not hold floating-point numbers");
    }
  }
}

void Hdf5Acquisitions::readXml(const std::string& group) {
  const std::string path = group + "/xml";
  if (H5Lexists(handle_.get(), path.c_str(), H5P_DEFAULT) <= 0)
    throw Error("Cannot read " + file_.string(), "it has no header (" + path + ")", copyHdf5Again);
  const Hdf5Handle text(H5Dopen2(handle_.get(), path.c_str(), H5P_DEFAULT), H5Dclose);
  if (!text.valid()) fail(hdf5Reason());
  const Hdf5Handle type(H5Dget_type(text.get()), H5Tclose), space(H5Dget_space(text.get()), H5Sclose);
  if (H5Tget_class(type.get()) != H5T_STRING || H5Sget_simple_extent_npoints(space.get()) != 1)
    fail("its header is not a text");
  const std::size_t limit = std::min<std::size_t>(maxXmlBytes, std::size_t(fileBytes_)) + 1;
  if (H5Tis_variable_str(type.get()) > 0) {
    Hdf5Arena arena(limit, 1);
    const Hdf5Handle transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose), memory(H5Tcopy(H5T_C_S1), H5Tclose);
    arena.attach(transfer.get());
    H5Tset_size(memory.get(), H5T_VARIABLE);
    H5Tset_cset(memory.get(), H5Tget_cset(type.get()));
    char* value = nullptr;
    if (H5Dread(text.get(), memory.get(), H5S_ALL, H5S_ALL, transfer.get(), &value) < 0) fail(hdf5Reason());
    xml_ = value ? value : "";
  } else {
    const std::size_t size = H5Tget_size(type.get());
    if (size > limit) fail("its header is longer than the file");
    xml_.assign(size + 1, '\0');
    if (H5Dread(text.get(), type.get(), H5S_ALL, H5S_ALL, H5P_DEFAULT, xml_.data()) < 0) fail(hdf5Reason());
    xml_.resize(std::strlen(xml_.c_str()));
  }
}

void Hdf5Acquisitions::takeWaveforms() {
  const std::int64_t lost = readWaveforms(handle_.get(), group_, fileBytes_, waveforms_);
  if (lost > 0) ignored_.push_back(countText(lost, "waveform") + " (not readable)");
  std::vector<AcquisitionHead> first(1);
  readHeads(0, first);
  waveforms_.finish(xml_, double(first.front().acquisition_time_stamp) * stampSeconds);
  arrayNames_.insert(arrayNames_.end(), waveforms_.names().begin(), waveforms_.names().end());
}

void Hdf5Acquisitions::readHeads(std::int64_t begin, std::vector<AcquisitionHead>& out) const {
  std::fill(out.begin(), out.end(), AcquisitionHead{});
  const hsize_t count = out.size();
  const Hdf5Handle stored(H5Dget_type(data_.get()), H5Tclose);
  const Hdf5Handle type = convertiblePart(headType().get(), stored.get());
  const Hdf5Handle space = rangeOf(data_.get(), hsize_t(begin), count);
  if (!type.valid()) fail("the members of its acquisition headers cannot be read");
  const Hdf5Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
  if (H5Dread(data_.get(), type.get(), memory.get(), space.get(), H5P_DEFAULT, out.data()) < 0)
    fail(hdf5Reason());
}

void Hdf5Acquisitions::checkLengths(const std::vector<AcquisitionHead>& heads) const {
  constexpr double minBytesPerNumber = 2;  // half precision, the shortest that HDF5 files hold
  double numbers = 0;
  for (const AcquisitionHead& head : heads)
    numbers += double(floatsOf(head, AcquisitionMember::trajectory)) +
               double(floatsOf(head, AcquisitionMember::data));
  if (numbers * minBytesPerNumber > double(fileBytes_))
    fail("its acquisition headers promise " + bytesText(numbers * sizeof(float)) +
         " of samples, and it has " + bytesText(double(fileBytes_)));
}

// False, without a call of `use`, if HDF5 must read a value or a length differs from its header.
bool Hdf5Acquisitions::readHeaps(AcquisitionMember member, std::int64_t begin,
                                 const std::vector<AcquisitionHead>& heads, std::span<char> place,
                                 const Use& use) const {
  if (!heaps_) return false;
  std::vector<std::span<const char>> found;
  found.reserve(heads.size());
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const auto bytes = heaps_->bytes(member, begin + std::int64_t(i));
    if (!bytes || bytes->size() != std::size_t(floatsOf(heads[i], member)) * sizeof(float)) return false;
    found.push_back(*bytes);
  }
  Buffer<std::max_align_t> own;
  char* to = place.data();
  if (const std::size_t room = roomFor(member, heads); room > place.size()) {
    own.resize(room / sizeof(std::max_align_t));
    to = reinterpret_cast<char*>(own.data());
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    const std::span<const char> bytes = found[i];
    if (bytes.empty()) {
      use(i, nullptr);
      continue;
    }
    std::memcpy(to, bytes.data(), bytes.size());
    use(i, reinterpret_cast<const float*>(to));
    constexpr std::size_t alignment = alignof(std::max_align_t);
    to += (bytes.size() + alignment - 1) / alignment * alignment;
  }
  heapReads_ += std::int64_t(found.size());
  return true;
}

// A file that links to others may hold its acquisitions there.
std::optional<PlainNumbers> Hdf5Acquisitions::plainNumbers(AcquisitionMember member,
                                                           const std::vector<AcquisitionHead>& heads) const {
  if (!heaps_ || !linked_.links.empty()) return std::nullopt;
  std::optional<std::vector<std::uint64_t>> places = heaps_->places(member, heads);
  if (!places) return std::nullopt;
  return PlainNumbers{0, std::move(*places)};
}

void Hdf5Acquisitions::read(AcquisitionMember member, std::int64_t begin,
                            const std::vector<AcquisitionHead>& heads, std::span<char> place,
                            const Use& use) const {
  if (readHeaps(member, begin, heads, place, use)) return;
  const hsize_t count = heads.size();
  const std::size_t room = roomFor(member, heads);
  std::optional<Hdf5Arena> arena;
  if (room <= place.size())
    arena.emplace(place.data(), room);
  else
    arena.emplace(bytesOf(member, heads), heads.size());
  const Hdf5Handle transfer(H5Pcreate(H5P_DATASET_XFER), H5Pclose);
  arena->attach(transfer.get());
  const bool pairs = pairs_ && member == AcquisitionMember::data;
  const Hdf5Handle type = pairs ? variableLengthComplexType(nameOf(member), real_.c_str(), imaginary_.c_str())
                                : variableLengthType(nameOf(member));
  const Hdf5Handle space = rangeOf(data_.get(), hsize_t(begin), count);
  const Hdf5Handle memory(H5Screate_simple(1, &count, nullptr), H5Sclose);
  std::vector<hvl_t> values(heads.size(), hvl_t{0, nullptr});
  if (H5Dread(data_.get(), type.get(), memory.get(), space.get(), transfer.get(), values.data()) < 0)
    fail(arena->exhausted() ? "its arrays are longer than its acquisition headers say" : hdf5Reason());
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const std::int64_t length = std::int64_t(values[i].len) * (pairs ? 2 : 1);
    const std::int64_t expected = floatsOf(heads[i], member);
    if (length != expected)
      fail("acquisition " + std::to_string(begin + std::int64_t(i)) + " should hold " +
           std::to_string(expected) + " numbers of " + nameOf(member) + ", and holds " +
           std::to_string(length));
    use(i, static_cast<const float*>(values[i].p));
  }
}

}  // namespace spokelab
