// 64-bit mixing for keys of states.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>

namespace zermelo {

// The finalizer of splitmix64: a bijection that spreads every bit.
inline constexpr std::uint64_t mix(std::uint64_t x) {
  x ^= x >> 30;
  x *= 0xbf58476d1ce4e5b9ULL;
  x ^= x >> 27;
  x *= 0x94d049bb133111ebULL;
  return x ^ (x >> 31);
}

inline std::uint64_t hash_bytes(const void* data, std::size_t size) {
  const auto* p = static_cast<const unsigned char*>(data);
  std::uint64_t h = 0x9e3779b97f4a7c15ULL ^ size;
  for (; size >= 8; size -= 8, p += 8) {
    std::uint64_t word;
    std::memcpy(&word, p, 8);
    h = mix(h ^ word) + 0x9e3779b97f4a7c15ULL;
  }
  if (size) {
    std::uint64_t word = 0;
    std::memcpy(&word, p, size);
    h = mix(h ^ word) + 0x9e3779b97f4a7c15ULL;
  }
  return h;
}

}  // namespace zermelo
