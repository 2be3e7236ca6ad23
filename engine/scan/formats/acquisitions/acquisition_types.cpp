#include "engine/scan/formats/acquisitions/acquisition_types.h"

#include <ismrmrd/ismrmrd.h>

#include <algorithm>
#include <cstddef>
#include <string>
#include <utility>

namespace spokelab {
namespace {

using ISMRMRD::ISMRMRD_AcquisitionHeader;
using ISMRMRD::ISMRMRD_EncodingCounters;

Hdf5Handle arrayOf(hid_t base, hsize_t count) {
  return {H5Tarray_create2(base, 1, &count), H5Tclose};
}

void insertArray(hid_t type, const char* name, std::size_t offset, hid_t base, hsize_t count) {
  const Hdf5Handle array = arrayOf(base, count);
  H5Tinsert(type, name, offset, array.get());
}

Hdf5Handle countersType() {
  using C = ISMRMRD_EncodingCounters;
  Hdf5Handle type(H5Tcreate(H5T_COMPOUND, sizeof(C)), H5Tclose);
  const hid_t id = type.get(), u16 = H5T_NATIVE_UINT16;
  H5Tinsert(id, "kspace_encode_step_1", offsetof(C, kspace_encode_step_1), u16);
  H5Tinsert(id, "kspace_encode_step_2", offsetof(C, kspace_encode_step_2), u16);
  H5Tinsert(id, "average", offsetof(C, average), u16);
  H5Tinsert(id, "slice", offsetof(C, slice), u16);
  H5Tinsert(id, "contrast", offsetof(C, contrast), u16);
  H5Tinsert(id, "phase", offsetof(C, phase), u16);
  H5Tinsert(id, "repetition", offsetof(C, repetition), u16);
  H5Tinsert(id, "set", offsetof(C, set), u16);
  H5Tinsert(id, "segment", offsetof(C, segment), u16);
  insertArray(id, "user", offsetof(C, user), u16, ISMRMRD::ISMRMRD_USER_INTS);
  return type;
}

Hdf5Handle variableLengthMember(const char* name, hid_t element) {
  const Hdf5Handle values(H5Tvlen_create(element), H5Tclose);
  Hdf5Handle type(H5Tcreate(H5T_COMPOUND, sizeof(hvl_t)), H5Tclose);
  H5Tinsert(type.get(), name, 0, values.get());
  return type;
}

}  // namespace

Hdf5Handle acquisitionHeaderType() {
  using H = ISMRMRD_AcquisitionHeader;
  Hdf5Handle type(H5Tcreate(H5T_COMPOUND, sizeof(H)), H5Tclose);
  const hid_t id = type.get(), u16 = H5T_NATIVE_UINT16, u32 = H5T_NATIVE_UINT32, u64 = H5T_NATIVE_UINT64;
  const hid_t f32 = H5T_NATIVE_FLOAT;
  H5Tinsert(id, "version", offsetof(H, version), u16);
  H5Tinsert(id, "flags", offsetof(H, flags), u64);
  H5Tinsert(id, "measurement_uid", offsetof(H, measurement_uid), u32);
  H5Tinsert(id, "scan_counter", offsetof(H, scan_counter), u32);
  H5Tinsert(id, "acquisition_time_stamp", offsetof(H, acquisition_time_stamp), u32);
  insertArray(id, "physiology_time_stamp", offsetof(H, physiology_time_stamp), u32,
              ISMRMRD::ISMRMRD_PHYS_STAMPS);
  H5Tinsert(id, "number_of_samples", offsetof(H, number_of_samples), u16);
  H5Tinsert(id, "available_channels", offsetof(H, available_channels), u16);
  H5Tinsert(id, "active_channels", offsetof(H, active_channels), u16);
  insertArray(id, "channel_mask", offsetof(H, channel_mask), u64, ISMRMRD::ISMRMRD_CHANNEL_MASKS);
  H5Tinsert(id, "discard_pre", offsetof(H, discard_pre), u16);
  H5Tinsert(id, "discard_post", offsetof(H, discard_post), u16);
  H5Tinsert(id, "center_sample", offsetof(H, center_sample), u16);
  H5Tinsert(id, "encoding_space_ref", offsetof(H, encoding_space_ref), u16);
  H5Tinsert(id, "trajectory_dimensions", offsetof(H, trajectory_dimensions), u16);
  H5Tinsert(id, "sample_time_us", offsetof(H, sample_time_us), f32);
  insertArray(id, "position", offsetof(H, position), f32, ISMRMRD::ISMRMRD_POSITION_LENGTH);
  insertArray(id, "read_dir", offsetof(H, read_dir), f32, ISMRMRD::ISMRMRD_DIRECTION_LENGTH);
  insertArray(id, "phase_dir", offsetof(H, phase_dir), f32, ISMRMRD::ISMRMRD_DIRECTION_LENGTH);
  insertArray(id, "slice_dir", offsetof(H, slice_dir), f32, ISMRMRD::ISMRMRD_DIRECTION_LENGTH);
  insertArray(id, "patient_table_position", offsetof(H, patient_table_position), f32,
              ISMRMRD::ISMRMRD_POSITION_LENGTH);
  const Hdf5Handle counters = countersType();
  H5Tinsert(id, "idx", offsetof(H, idx), counters.get());
  insertArray(id, "user_int", offsetof(H, user_int), H5T_NATIVE_INT32, ISMRMRD::ISMRMRD_USER_INTS);
  insertArray(id, "user_float", offsetof(H, user_float), f32, ISMRMRD::ISMRMRD_USER_FLOATS);
  return type;
}

Hdf5Handle headType() {
  const Hdf5Handle head = acquisitionHeaderType();
  Hdf5Handle type(H5Tcreate(H5T_COMPOUND, sizeof(ISMRMRD_AcquisitionHeader)), H5Tclose);
  H5Tinsert(type.get(), "head", 0, head.get());
  return type;
}

Hdf5Handle convertiblePart(hid_t wanted, hid_t stored) {
  Hdf5Handle type(H5Tcreate(H5T_COMPOUND, H5Tget_size(wanted)), H5Tclose);
  const int members = H5Tget_nmembers(wanted);
  for (unsigned i = 0; i < unsigned(std::max(members, 0)); ++i) {
    char* const text = H5Tget_member_name(wanted, i);
    const std::string name = text ? text : "";
    H5free_memory(text);
    const int place = H5Tget_member_index(stored, name.c_str());
    if (place < 0) continue;
    Hdf5Handle member(H5Tget_member_type(wanted, i), H5Tclose);
    const Hdf5Handle source(H5Tget_member_type(stored, unsigned(place)), H5Tclose);
    if (H5Tget_class(member.get()) == H5T_COMPOUND && H5Tget_class(source.get()) == H5T_COMPOUND)
      member = convertiblePart(member.get(), source.get());
    H5T_cdata_t* conversion = nullptr;
    if (member.valid() && H5Tfind(source.get(), member.get(), &conversion))
      H5Tinsert(type.get(), name.c_str(), H5Tget_member_offset(wanted, i), member.get());
  }
  return H5Tget_nmembers(type.get()) > 0 ? std::move(type) : Hdf5Handle();
}

Hdf5Handle variableLengthType(const char* name) {
  return variableLengthMember(name, H5T_NATIVE_FLOAT);
}

Hdf5Handle variableLengthComplexType(const char* name, const char* real, const char* imaginary) {
  const Hdf5Handle pair(H5Tcreate(H5T_COMPOUND, 2 * sizeof(float)), H5Tclose);
  H5Tinsert(pair.get(), real, 0, H5T_NATIVE_FLOAT);
  H5Tinsert(pair.get(), imaginary, sizeof(float), H5T_NATIVE_FLOAT);
  return variableLengthMember(name, pair.get());
}

}  // namespace spokelab
