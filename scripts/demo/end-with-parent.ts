// Loaded into the service process before the service's own code. When the demo that started it is killed, its IPC
// channel closes and the service drains, so that the port is free for the next demo.
process.once('disconnect', () => process.kill(process.pid, 'SIGTERM'));
