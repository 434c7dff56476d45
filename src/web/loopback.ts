const NAMES = ['localhost', '127.0.0.1', '[::1]'];

/** Whether an address leads to the machine of the one who follows it. */
export function isLoopback({ hostname }: URL): boolean {
  return NAMES.includes(hostname);
}
