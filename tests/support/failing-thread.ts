// A thread that fails at once, for read-in-thread.test.ts.
throw new Error('the thread failed');
