import type { Logger } from '../logger.ts';

/**
 * Routes the console output of libraries, and Node's warnings, to the log. Some libraries offer no other hook:
 * graphile-worker prints a stack with `console.trace` if a worker fails as it stops, and oidc-provider and
 * express-rate-limit print advice. An error is logged without the values that a driver adds, and no other object is
 * logged. Call it once per process.
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
  // Node's own listener prints warnings.
  process.removeAllListeners('warning');
  process.on('warning', (warning) => logger.warn({ err: withoutAddresses(warning) }, 'process warning'));
}

/** Removes URLs from a warning: Node's DEP0170 about an invalid URL repeats the URL of the request. */
function withoutAddresses({ name, message, stack = '', ...more }: Error): Error {
  const cut = new Error(message.replace(/[^ ]*[:/?=@][^ ]*/g, '[cut]'));
  const frames = stack.split('\n').filter((line) => line.startsWith('    at '));
  return Object.assign(cut, more, { name, stack: [`${name}: ${cut.message}`, ...frames].join('\n') });
}

function formatValue(value: unknown): string {
  if (value instanceof Error) return value.message;
  return typeof value === 'string' || typeof value === 'number' ? String(value) : '[object]';
}
