import type { Logger } from '../logger.ts';

/**
 * Sends what libraries print on the console, and warnings of Node, to the log. Some print without offering a hook:
 * graphile-worker a stack, by `console.trace`, when a worker fails as it stops; oidc-provider and express-rate-limit
 * their advice. An error is logged as we log errors, without the values that a driver hangs on it, and no other object is.
 * Called once, by the process.
 */
export function routeConsole(logger: Logger): void {
  const route =
    (level: 'debug' | 'info' | 'warn') =>
    (...values: unknown[]) => {
      const err = values.find((value) => value instanceof Error);
      logger[level]({ err, reason: values.map(formatValue).join(' ') }, 'console');
    };
  Object.assign(console, {
    debug: route('debug'),
    log: route('info'),
    info: route('info'),
    warn: route('warn'),
    error: route('warn'),
    trace: route('warn'),
  });
  // Node's own listener prints them.
  process.removeAllListeners('warning');
  process.on('warning', (warning) => logger.warn({ err: withoutAddresses(warning) }, 'warning'));
}

/** Node repeats the address of a request in a warning that it is no address (DEP0170). */
function withoutAddresses({ name, message, stack = '', ...more }: Error): Error {
  const cut = new Error(message.replace(/[^ ]*[:/?=@][^ ]*/g, '[cut]'));
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '));
  return Object.assign(cut, more, { name, stack: [`${name}: ${cut.message}`, ...frames].join('\n') });
}

function formatValue(value: unknown): string {
  if (value instanceof Error) return value.message;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '[object]';
}
