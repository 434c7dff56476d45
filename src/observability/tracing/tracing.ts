import type { IncomingHttpHeaders } from 'node:http';

export interface SpanOptions {
  /** `client`: another system is asked; `consumer`: a job was taken from the queue; else `internal`. */
  kind?: 'client' | 'consumer' | 'internal';
  /** Names and codes alone: never parameters, addresses or anything that a client sent. */
  attributes?: Record<string, string>;
}

/** The span of a request, which all that is done for it belongs to. */
export interface RequestSpan {
  readonly traceId: string;
  /** Runs the request; spans that begin in it are children of this one. */
  run(work: () => void): void;
  /** @param status undefined when the connection closed before the answer was complete */
  end(request: { name: string; method: string; status: number | undefined }): void;
}

/** What makes spans. */
export interface Tracing {
  /** Begins the span of a request, in the caller's trace when its `traceparent` names one. */
  request(headers: IncomingHttpHeaders): RequestSpan;
  /** Runs `work` in a span; spans that begin in it are children of that. */
  span<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T>;
  /** Begins a span without children; what it returns ends it. */
  begin(name: string, options: SpanOptions): (error?: unknown) => void;
  /** Of the span that the caller runs in. */
  traceId(): string | undefined;
}

// Of the process, as in OpenTelemetry's own API: a handle in each signature would be there for the few who send traces.
let tracing: Tracing | undefined;

/** From now on spans are made. Undefined: no longer. */
export function setTracing(given: Tracing | undefined): void {
  tracing = given;
}

/** Runs `work` in a span, where spans are made. */
export function traced<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  return tracing ? tracing.span(name, options, work) : work();
}

/** Begins a span without children; what it returns ends it. Undefined where no spans are made. */
export function beginSpan(name: string, options: SpanOptions): ((error?: unknown) => void) | undefined {
  return tracing?.begin(name, options);
}

/** Undefined where no spans are made. */
export function beginRequestSpan(headers: IncomingHttpHeaders): RequestSpan | undefined {
  return tracing?.request(headers);
}

/** The trace that the caller runs in. */
export function currentTraceId(): string | undefined {
  return tracing?.traceId();
}
