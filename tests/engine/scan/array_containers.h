// Files of several arrays for tests: NumPy's archives by libzip, MATLAB's files by matio.
#pragma once

#include <matio.h>
#include <zip.h>

#include <filesystem>
#include <string>
#include <utility>
#include <vector>

#include "engine/core/array.h"

namespace spokelab::test {

using Members = std::vector<std::pair<std::string, std::string>>;  // name and bytes

inline bool writeZip(const std::filesystem::path& file, const Members& members, bool deflated) {
  zip_t* zip = zip_open(file.c_str(), ZIP_CREATE | ZIP_TRUNCATE, nullptr);
  if (!zip) return false;
  for (const auto& [name, bytes] : members) {
    zip_source_t* source = zip_source_buffer(zip, bytes.data(), bytes.size(), 0);
    const zip_int64_t index = zip_file_add(zip, name.c_str(), source, 0);
    if (index < 0) return false;
    zip_set_file_compression(zip, zip_uint64_t(index), deflated ? ZIP_CM_DEFLATE : ZIP_CM_STORE, 0);
  }
  return zip_close(zip) == 0;
}

// Values without a name, for structures and cells.
inline matvar_t* realMat(std::vector<std::size_t> shape, std::vector<double> values) {
  return Mat_VarCreate(nullptr, MAT_C_DOUBLE, MAT_T_DOUBLE, int(shape.size()), shape.data(), values.data(),
                       0);
}
inline matvar_t* complexMat(std::vector<std::size_t> shape, const std::vector<cfloat>& values) {
  std::vector<float> re, im;
  for (const cfloat& v : values) {
    re.push_back(v.real());
    im.push_back(v.imag());
  }
  mat_complex_split_t parts{re.data(), im.data()};
  return Mat_VarCreate(nullptr, MAT_C_SINGLE, MAT_T_SINGLE, int(shape.size()), shape.data(), &parts,
                       MAT_F_COMPLEX);
}
inline matvar_t* textMat(std::string text, const char* name = nullptr) {
  std::vector<std::size_t> shape = {1, text.size()};
  return Mat_VarCreate(name, MAT_C_CHAR, MAT_T_UTF8, 2, shape.data(), text.data(), 0);
}
using MatFields = std::vector<std::pair<std::string, matvar_t*>>;
// The element i of a structure array has the fields [i * n, (i + 1) * n) of the list, n of each.
inline matvar_t* structMat(const char* name, const MatFields& fields, std::size_t elements = 1) {
  std::vector<const char*> names;
  const std::size_t each = fields.size() / elements;
  for (std::size_t f = 0; f < each; ++f) names.push_back(fields[f].first.c_str());
  std::vector<std::size_t> shape = {1, elements};
  matvar_t* all = Mat_VarCreateStruct(name, 2, shape.data(), names.data(), unsigned(each));
  for (std::size_t i = 0; i < fields.size(); ++i)
    Mat_VarSetStructFieldByIndex(all, i % each, i / each, fields[i].second);
  return all;
}
inline matvar_t* cellMat(const char* name, std::vector<matvar_t*> elements) {
  std::vector<std::size_t> shape = {1, elements.size()};
  return Mat_VarCreate(name, MAT_C_CELL, MAT_T_CELL, 2, shape.data(), elements.data(), 0);
}

// Writes variables in MATLAB's order, first axis fastest.
class MatWriter {
 public:
  MatWriter(const std::filesystem::path& file, mat_ft version, bool packed = false)
      : mat_(Mat_CreateVer(file.c_str(), nullptr, version)),
        compression_(packed ? MAT_COMPRESSION_ZLIB : MAT_COMPRESSION_NONE) {}
  ~MatWriter() { Mat_Close(mat_); }
  MatWriter(const MatWriter&) = delete;
  MatWriter& operator=(const MatWriter&) = delete;

  template <class T>
  bool real(const char* name, matio_classes kind, matio_types type, std::vector<std::size_t> shape,
            std::vector<T> values) {
    return write(Mat_VarCreate(name, kind, type, int(shape.size()), shape.data(), values.data(), 0));
  }
  template <class Real>
  bool complex(const char* name, std::vector<std::size_t> shape,
               const std::vector<std::complex<Real>>& values) {
    std::vector<Real> re, im;
    for (const auto& v : values) {
      re.push_back(v.real());
      im.push_back(v.imag());
    }
    mat_complex_split_t parts{re.data(), im.data()};
    constexpr bool single = sizeof(Real) == sizeof(float);
    return write(Mat_VarCreate(name, single ? MAT_C_SINGLE : MAT_C_DOUBLE,
                               single ? MAT_T_SINGLE : MAT_T_DOUBLE, int(shape.size()), shape.data(), &parts,
                               MAT_F_COMPLEX));
  }
  bool structure(const char* name, const MatFields& fields) { return write(structMat(name, fields)); }
  bool write(matvar_t* variable) {
    const bool written = mat_ && variable && Mat_VarWrite(mat_, variable, compression_) == 0;
    Mat_VarFree(variable);
    return written;
  }

 private:
  mat_t* mat_;
  matio_compression compression_;
};

}  // namespace spokelab::test
