import { readInThread } from '../../src/mail/mailboxes/read-in-thread.ts';

const THREAD = new URL('../support/failing-thread.ts', import.meta.url);

// As when a thread runs out of memory while it is being terminated. Without a listener, that ends the process.
test('a thread that fails after its time is up yields nothing', async () => {
  const reading = readInThread(THREAD, new Uint8Array(1), 10);
  // Blocks this thread, so that the timer fires before the failure is received.
  Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 2000);
  expect(await reading).toBeUndefined();
});
