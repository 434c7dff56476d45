import { setImmediate } from 'node:timers/promises';

/**
 * Yields to the event loop in the middle of long work. Awaits `setImmediate` twice: the first callback runs before the
 * poll phase reads the sockets again.
 */
export async function giveWay(): Promise<void> {
  await setImmediate();
  await setImmediate();
}
