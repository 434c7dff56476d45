import { type DestinationStream, type Logger, pino } from 'pino';

export type { Logger };

export interface Logs {
  /** Log of events in the service. Redacts keys and personal data, in case an object with them gets into it. */
  logger: Logger;
  /** One line for each request, with only ids and figures. Redacts nothing, because redaction costs time. */
  accessLog: Logger;
}

const REDACTED = ['authorization', 'cookie', 'password', 'apiKey', 'email', 'firstName', 'lastName'];

/**
 * Creates logs of JSON lines on standard output, or to `destination`. Never logs bodies, query strings or headers.
 * @param traceId returns the id of the trace to which a line of `logger` belongs
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

/**
 * Collects lines for some milliseconds, because writing each line separately would take a fifth of the time of a read.
 */
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

/** Describes an error without the fields that a driver adds: Postgres' `detail` repeats the values of the row. */
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
