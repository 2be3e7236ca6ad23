#include "engine/scan/formats/acquisitions/heap_values.h"

#include <fcntl.h>
#include <sys/mman.h>
#include <unistd.h>

#include <bit>
#include <cstring>

#include "engine/scan/formats/hdf5/hdf5_handle.h"

namespace spokelab {
namespace {

static_assert(std::endian::native == std::endian::little, "the file's numbers are taken as they lie");

constexpr std::size_t referenceBytes = 16;  // length, address of a heap, number of an object in it
constexpr std::size_t heapHeadBytes = 16, objectHeadBytes = 16, objectAlignment = 8;

template <class Number>
Number numberAt(const char* at) {
  Number n;
  std::memcpy(&n, at, sizeof n);
  return n;
}

// Floats as they lie in memory, or pairs of them; 0: others.
std::size_t plainBytes(hid_t element) {
  const auto isFloat = [](hid_t type) { return H5Tequal(type, H5T_IEEE_F32LE) > 0; };
  if (isFloat(element)) return sizeof(float);
  if (H5Tget_class(element) != H5T_COMPOUND || H5Tget_nmembers(element) != 2 ||
      H5Tget_size(element) != 2 * sizeof(float))
    return 0;
  for (unsigned part = 0; part < 2; ++part) {
    const Hdf5Handle type(H5Tget_member_type(element, part), H5Tclose);
    if (!isFloat(type.get()) || H5Tget_member_offset(element, part) != part * sizeof(float)) return 0;
  }
  return 2 * sizeof(float);
}

}  // namespace

std::unique_ptr<HeapValues> HeapValues::of(const std::filesystem::path& file, hid_t handle, hid_t data) {
  std::unique_ptr<HeapValues> values(new HeapValues);
  const Hdf5Handle creation(H5Dget_create_plist(data), H5Pclose), space(H5Dget_space(data), H5Sclose),
      type(H5Dget_type(data), H5Tclose), ofFile(H5Fget_create_plist(handle), H5Pclose);
  if (!creation.valid() || !space.valid() || !type.valid() || !ofFile.valid()) return nullptr;
  std::size_t addressBytes = 0, lengthBytes = 0;
  hsize_t userBlock = 0;
  if (H5Pget_sizes(ofFile.get(), &addressBytes, &lengthBytes) < 0 || addressBytes != 8 || lengthBytes != 8 ||
      H5Pget_userblock(ofFile.get(), &userBlock) < 0 || H5Pget_nfilters(creation.get()) != 0)
    return nullptr;
  values->base_ = userBlock;
  values->data_ = data;
  values->count_ = H5Sget_simple_extent_npoints(space.get());
  values->recordBytes_ = H5Tget_size(type.get());
  const char* const names[] = {"traj", "data"};
  for (unsigned m = 0; m < 2; ++m) {
    const int index = H5Tget_member_index(type.get(), names[m]);
    if (index < 0) return nullptr;
    const Hdf5Handle list(H5Tget_member_type(type.get(), unsigned(index)), H5Tclose);
    if (H5Tget_class(list.get()) != H5T_VLEN) return nullptr;
    const Hdf5Handle element(H5Tget_super(list.get()), H5Tclose);
    Member& member = values->members_[m];
    member.offset = H5Tget_member_offset(type.get(), unsigned(index));
    member.elementBytes = plainBytes(element.get());
    if (member.elementBytes == 0 || member.offset + referenceBytes > values->recordBytes_) return nullptr;
  }
  const H5D_layout_t layout = H5Pget_layout(creation.get());
  if (layout == H5D_CHUNKED) {
    hsize_t bytes = 0;
    const hsize_t origin = 0;
    // A record must take the same number of bytes in the file as HDF5 reports for memory.
    if (H5Pget_chunk(creation.get(), 1, &values->chunk_) != 1 || values->chunk_ == 0 ||
        H5Dget_chunk_storage_size(data, &origin, &bytes) < 0 ||
        bytes != values->chunk_ * values->recordBytes_)
      return nullptr;
    values->chunkBytes_.resize(bytes);
  } else if (layout == H5D_CONTIGUOUS) {
    const haddr_t address = H5Dget_offset(data);
    if (address == HADDR_UNDEF || H5Dget_storage_size(data) != hsize_t(values->count_) * values->recordBytes_)
      return nullptr;
    values->first_ = address;
  } else {
    return nullptr;
  }
  const int descriptor = ::open(file.c_str(), O_RDONLY | O_CLOEXEC);
  if (descriptor < 0) return nullptr;
  values->size_ = std::size_t(std::filesystem::file_size(file));
  void* const memory = ::mmap(nullptr, values->size_, PROT_READ, MAP_SHARED, descriptor, 0);
  ::close(descriptor);
  if (memory == MAP_FAILED) return nullptr;
  values->mapped_ = static_cast<const char*>(memory);
  return values;
}

HeapValues::~HeapValues() {
  if (mapped_) ::munmap(const_cast<char*>(mapped_), size_);
}

// Null beyond the file.
const char* HeapValues::at(std::uint64_t address, std::uint64_t length) const {
  if (length > size_ || address > size_ - length) return nullptr;
  return mapped_ + address;
}

// Null where HDF5 cannot tell.
const char* HeapValues::record(std::int64_t acquisition) {
  if (acquisition < 0 || acquisition >= count_) return nullptr;
  if (chunk_ == 0)  // H5Dget_offset counts from the file's begin
    return at(first_ + std::uint64_t(acquisition) * recordBytes_, recordBytes_);
  const hsize_t chunk = hsize_t(acquisition) / chunk_;
  if (chunk != loaded_) {
    const hsize_t origin = chunk * chunk_;
    hsize_t bytes = 0;
    std::uint32_t mask = 0;
    if (H5Dget_chunk_storage_size(data_, &origin, &bytes) < 0 || bytes != chunkBytes_.size() ||
        H5Dread_chunk(data_, H5P_DEFAULT, &origin, &mask, chunkBytes_.data()) < 0 || mask != 0)
      return nullptr;
    loaded_ = chunk;
  }
  return chunkBytes_.data() + (hsize_t(acquisition) % chunk_) * recordBytes_;
}

std::optional<std::span<const char>> HeapValues::bytes(AcquisitionMember which, std::int64_t acquisition) {
  const Member& member = members_[which == AcquisitionMember::trajectory ? 0 : 1];
  const char* const found = record(acquisition);
  if (!found) return std::nullopt;
  const char* const reference = found + member.offset;
  const auto length = std::uint64_t(numberAt<std::uint32_t>(reference)) * member.elementBytes;
  const auto address = numberAt<std::uint64_t>(reference + sizeof(std::uint32_t));
  const auto number = numberAt<std::uint32_t>(reference + sizeof(std::uint32_t) + sizeof(std::uint64_t));
  if (length == 0) return std::span<const char>();
  if (address > size_ || number == 0) return std::nullopt;
  const std::uint64_t heap = base_ + address;
  const char* const head = at(heap, heapHeadBytes);
  constexpr char signature[] = {'G', 'C', 'O', 'L', 1};
  if (!head || std::memcmp(head, signature, sizeof signature) != 0) return std::nullopt;
  const auto heapBytes = numberAt<std::uint64_t>(head + objectAlignment);
  if (!at(heap, heapBytes)) return std::nullopt;
  for (std::uint64_t offset = heapHeadBytes; offset + objectHeadBytes <= heapBytes;) {
    const char* const object = head + offset;
    const auto index = numberAt<std::uint16_t>(object);
    const auto bytes = numberAt<std::uint64_t>(object + objectAlignment);
    if (bytes > heapBytes - offset - objectHeadBytes) return std::nullopt;
    if (index == number)
      return bytes >= length ? std::optional(std::span(object + objectHeadBytes, std::size_t(length)))
                             : std::nullopt;
    if (index == 0) return std::nullopt;  // free space to the end
    offset += objectHeadBytes + (bytes + objectAlignment - 1) / objectAlignment * objectAlignment;
  }
  return std::nullopt;
}

std::optional<std::vector<std::uint64_t>> HeapValues::places(AcquisitionMember member,
                                                             const std::vector<AcquisitionHead>& heads) {
  std::vector<std::uint64_t> offsets;
  offsets.reserve(heads.size());
  for (std::size_t i = 0; i < heads.size(); ++i) {
    const auto found = bytes(member, std::int64_t(i));
    if (!found || found->size() != std::size_t(floatsOf(heads[i], member)) * sizeof(float))
      return std::nullopt;
    offsets.push_back(found->empty() ? 0 : std::uint64_t(found->data() - mapped_));
  }
  return offsets;
}

}  // namespace spokelab
