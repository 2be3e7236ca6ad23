// A lock for what takes well below a microsecond, where sleeping costs more than waiting. Lockable,
// as std::lock_guard wants it. (oneTBB's is not for headers that meet Qt's keywords.)
#pragma once

#include <atomic>
#include <thread>

namespace spokelab {

inline void spinPause() {
#ifdef SPOKELAB_X86_64
  __builtin_ia32_pause();
#endif
}

class SpinLock {
 public:
  void lock() {
    while (busy_.test_and_set(std::memory_order_acquire)) {
      constexpr int looks = 64;  // the holder may have lost its processor
      for (int i = 0; busy_.test(std::memory_order_relaxed); ++i)
        i < looks ? spinPause() : std::this_thread::yield();
    }
  }
  void unlock() { busy_.clear(std::memory_order_release); }

 private:
  std::atomic_flag busy_;
};

}  // namespace spokelab
