import type { IncomingHttpHeaders } from 'node:http';

export interface SpanOptions {
  /** `client` for a request to another system, `consumer` for a job from the queue, otherwise `internal`. */
  kind?: 'client' | 'consumer' | 'internal';
  /** Attributes of the span. Only names and codes, never parameters, addresses or anything that a client sent. */
  attributes?: Record<string, string>;
}

/** The span of a request; the parent of all spans that begin while the request is handled. */
export interface RequestSpan {
  readonly traceId: string;
  /** Runs the request. Spans that begin in it are children of this span. */
  run(work: () => void): void;
  /** @param status undefined if the connection closed before the response was complete */
  end(request: { name: string; method: string; status: number | undefined }): void;
}

/** The source of spans. */
export interface Tracing {
  /** Begins the span of a request, in the caller's trace if its `traceparent` names one. */
  request(headers: IncomingHttpHeaders): RequestSpan;
  /** Runs `work` in a span. Spans that begin in it are children of this span. */
  span<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T>;
  /** Begins a span without children. The returned function ends it. */
  begin(name: string, options: SpanOptions): (error?: unknown) => void;
  /** Returns the id of the current span's trace. */
  traceId(): string | undefined;
}

// Global to the process, as in OpenTelemetry's own API: a handle in each signature would serve only the few
// installations that send traces.
let tracing: Tracing | undefined;

/** Turns tracing on, or off if `given` is undefined. */
export function setTracing(given: Tracing | undefined): void {
  tracing = given;
}

/** Runs `work` in a span if tracing is on. */
export function traced<T>(name: string, options: SpanOptions, work: () => Promise<T>): Promise<T> {
  return tracing ? tracing.span(name, options, work) : work();
}

/** Begins a span without children. The returned function ends it. Returns undefined if tracing is off. */
export function beginSpan(name: string, options: SpanOptions): ((error?: unknown) => void) | undefined {
  return tracing?.begin(name, options);
}

/** Begins the span of a request. Returns undefined if tracing is off. */
export function beginRequestSpan(headers: IncomingHttpHeaders): RequestSpan | undefined {
  return tracing?.request(headers);
}

/** Returns the id of the current trace; undefined if there is none. */
export function currentTraceId(): string | undefined {
  return tracing?.traceId();
}
