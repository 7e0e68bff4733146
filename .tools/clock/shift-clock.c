// Sets the clock of a process ahead, as LD_PRELOAD: ERRATA_CLOCK_AHEAD_S seconds, which may be
// negative. Only the time of day: timers and waits use the monotonic clock. The kernel is called
// without a look-up of the libc's function, because workerd and Chromium read the time before their
// allocators can serve one.

#define _GNU_SOURCE
#include <stdlib.h>
#include <sys/syscall.h>
#include <sys/time.h>
#include <time.h>
#include <unistd.h>

static time_t readAhead(void) {
  const char *text = getenv("ERRATA_CLOCK_AHEAD_S");
  return text == NULL ? 0 : (time_t)atoll(text);
}

int clock_gettime(clockid_t clock, struct timespec *at) {
  int code = (int)syscall(SYS_clock_gettime, clock, at);
  if (code == 0 && (clock == CLOCK_REALTIME || clock == CLOCK_REALTIME_COARSE)) {
    at->tv_sec += readAhead();
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
