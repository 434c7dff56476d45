import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

export interface Logs {
  /** What happens in the service. Keys and personal data are cut, should an object that holds them ever get here. */
  logger: Logger;
  /** One line for each request, of ids and figures alone: there is nothing to cut, and looking for it is not free. */
  accessLog: Logger;
}

const REDACTED = ['authorization', 'cookie', 'password', 'apiKey', 'email', 'firstName', 'lastName'];

/**
 * JSON lines on standard output, or to `destination`. Bodies, query strings and headers are not logged at all.
 * @param traceId names the trace that a line of `logger` belongs to
 */
export function createLogs(level: string, destination?: DestinationStream, traceId?: () => string | undefined): Logs {
  const stream = destination ?? pino.destination({ dest: 1, sync: false });
  const accessStream = destination ?? collectLines(stream as Stdout);
  const options = { level, base: undefined, timestamp: pino.stdTimeFunctions.isoTime };
  const paths = REDACTED.flatMap((field) => [field, `*.${field}`, `*.*.${field}`]);
  return {
    logger: pino(
      {
        ...options,
        redact: { paths, censor: '[redacted]' },
        serializers: { err: describeError },
        ...(traceId && { mixin: () => ({ traceId: traceId() }) }),
      },
      stream,
    ),
    accessLog: pino(options, accessStream),
  };
}

type Stdout = ReturnType<typeof pino.destination>;

const COLLECTED_MS = 20;
const COLLECTED_LENGTH = 16 * 1024;

/** Writes lines together that come within some milliseconds: one by one they would be a fifth of the work for a read. */
function collectLines(stream: Stdout): DestinationStream {
  let lines = '';
  const flush = () => {
    if (lines !== '') stream.write(lines);
    lines = '';
  };
  process.once('exit', () => {
    flush();
    stream.flushSync();
  });
  return {
    write(line) {
      if (lines === '') setTimeout(flush, COLLECTED_MS).unref();
      lines += line;
      if (lines.length > COLLECTED_LENGTH) flush();
    },
  };
}

/** An error without what a driver hangs on it: Postgres' `detail` repeats the values of the row. */
function describeError(error: unknown): unknown {
  if (!(error instanceof Error)) return { message: String(error) };
  const { code, constraint } = error as { code?: unknown; constraint?: unknown };
  return {
    type: error.name,
    message: error.message,
    code,
    constraint,
    stack: error.stack,
    cause: error.cause === undefined ? undefined : describeError(error.cause),
  };
}
