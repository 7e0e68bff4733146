// Sets the clock of a process ahead by ERRATA_CLOCK_AHEAD_S seconds, as LD_PRELOAD. Only the time of
// day: timers and waits use the monotonic clock.

#define _GNU_SOURCE
#include <dlfcn.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

typedef int (*ReadClock)(clockid_t, struct timespec *);

static time_t ahead;
static ReadClock readClock;

// Once, and not at the first look at the clock: the allocators of workerd and Chromium read it
// before they can serve the look-up of a function.
__attribute__((constructor)) static void prepare(void) {
  const char *text = getenv("ERRATA_CLOCK_AHEAD_S");
  if (text != NULL) ahead = (time_t)atoll(text);
  readClock = (ReadClock)dlsym(RTLD_NEXT, "clock_gettime");
}

int clock_gettime(clockid_t clock, struct timespec *at) {
  int code = readClock != NULL ? readClock(clock, at)
                               : (int)syscall(SYS_clock_gettime, clock, at);
  if (code == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    at->tv_sec += ahead;
  }
  return code;
}

int gettimeofday(struct timeval *restrict at, void *restrict zone) {
  struct timespec now;
  (void)zone;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
  at->tv_sec = now.tv_sec;
  at->tv_usec = now.tv_nsec / 1000;
  return 0;
}

time_t time(time_t *at) {
  struct timespec now;
  if (clock_gettime(CLOCK_REALTIME, &now) != 0) return -1;
  if (at != NULL) *at = now.tv_sec;
  return now.tv_sec;
}
