import { setImmediate } from 'node:timers/promises';

/**
 * Lets others have their turn in the middle of long work. It takes two: what was read from sockets is followed by what
 * `setImmediate` was given, and only after that are they read again.
 */
export async function giveWay(): Promise<void> {
  await setImmediate();
  await setImmediate();
}
