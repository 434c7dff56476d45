/**
 * Measures how long work holds the event loop at a time, in milliseconds of this thread's processor time. The clock would
 * also count the time in which a busy machine runs other processes.
 */
export async function longestHoldMs(work: () => Promise<unknown>): Promise<number> {
  let longestMs = 0;
  let isOver = false;
  let previous = process.threadCpuUsage();
  const look = () => {
    const { user, system } = process.threadCpuUsage(previous);
    longestMs = Math.max(longestMs, (user + system) / 1000);
    previous = process.threadCpuUsage();
    if (!isOver) setImmediate(look);
  };
  setImmediate(look);
  await work();
  isOver = true;
  return longestMs;
}
