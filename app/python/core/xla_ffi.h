// The part of XLA's foreign function interface (xla/ffi/api/c_api.h, API 0.x) that a handler on the
// CPU reads, so that no build needs XLA. Structures of that interface only grow at their ends:
// struct_size says how far the caller's reach. test_jax.py compares this file with jaxlib's header.
#pragma once

#include <cstddef>
#include <cstdint>

namespace spokelab::python::xla {

struct Extension {
  std::size_t structSize;
  int type;
  Extension* next;
};
constexpr int metadataExtension = 1;

struct ApiVersion {
  std::size_t structSize;
  Extension* extensions;
  int major, minor;
};
constexpr int apiMajor = 0, apiMinor = 1;  // the first with metadata

struct Error;  // XLA's
enum class ErrorCode { invalidArgument = 3, resourceExhausted = 8, internal = 13 };
struct ErrorToMake {
  std::size_t structSize;
  Extension* extensions;
  const char* message;
  ErrorCode code;
};

struct Api {
  std::size_t structSize;
  Extension* extensions;
  ApiVersion version;
  const void* internal;
  Error* (*makeError)(ErrorToMake*);
};

enum class Type { int64 = 5, float32 = 11, float64 = 12, complex64 = 15, complex128 = 18 };
enum class ArgumentKind { buffer = 1 };
enum class AttributeKind { scalar = 3 };

struct Buffer {
  std::size_t structSize;
  Extension* extensions;
  Type type;
  void* data;
  std::int64_t rank;
  std::int64_t* dims;
};

struct Text {
  const char* data;
  std::size_t size;
};
struct Scalar {
  Type type;
  void* value;
};

// Arguments, and in the same form results.
struct Buffers {
  std::size_t structSize;
  Extension* extensions;
  std::int64_t size;
  ArgumentKind* kinds;
  void** buffers;
};
struct Attributes {
  std::size_t structSize;
  Extension* extensions;
  std::int64_t size;
  AttributeKind* kinds;
  Text** names;
  void** values;
};

struct CallFrame {
  std::size_t structSize;
  Extension* extensions;
  const Api* api;
  void* context;
  int stage;
  Buffers arguments, results;
  Attributes attributes;
};

// The answer to a call with this extension, which is made once and executes nothing.
struct Metadata {
  std::size_t structSize;
  ApiVersion version;
  std::uint32_t traits;
};
struct MetadataExtension {
  Extension base;
  Metadata* metadata;
};

}  // namespace spokelab::python::xla
