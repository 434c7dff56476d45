import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Context,
  context,
  defaultTextMapGetter,
  ROOT_CONTEXT,
  type Span,
  SpanKind,
  SpanStatusCode,
  trace,
  type Tracer,
} from '@opentelemetry/api';
import { AsyncLocalStorageContextManager } from '@opentelemetry/context-async-hooks';
import { W3CTraceContextPropagator } from '@opentelemetry/core';
import { OTLPTraceExporter } from '@opentelemetry/exporter-trace-otlp-http';
import {
  defaultResource,
  detectResources,
  envDetector,
  resourceFromAttributes,
  serviceInstanceIdDetector,
} from '@opentelemetry/resources';
import {
  BatchSpanProcessor,
  TracerProvider,
  AlwaysOffSampler,
  AlwaysOnSampler,
  ParentBasedSampler,
  type Sampler,
  TraceIdRatioBasedSampler,
} from '@opentelemetry/sdk-trace';
import type { Logger } from '../logger.ts';
import { reportFailures } from './report-failures.ts';
import { setTracing, type SpanOptions, type Tracing } from './tracing.ts';
import type { TracingConfig } from '../../config/tracing.ts';

const SERVICE = 'security-awareness-program-service';
/** Maximum time for which an ending process waits until the last spans are sent, in milliseconds. */
const LAST_EXPORT_MS = 2000;

export interface RunningTracing {
  /** Sends the remaining spans within a limited time. Never rejects. */
  stop(): Promise<void>;
}

/** Starts creating spans, and sends them to the receiver that OpenTelemetry's variables name. */
export function startTracing(config: TracingConfig, logger: Logger): RunningTracing {
  context.setGlobalContextManager(new AsyncLocalStorageContextManager().enable());
  const provider = new TracerProvider({
    sampler: createSampler(config),
    // Attributes from the environment come last and take precedence.
    resource: defaultResource()
      .merge(resourceFromAttributes({ 'service.name': SERVICE }))
      .merge(detectResources({ detectors: [serviceInstanceIdDetector, envDetector] })),
    spanProcessors: [
      new BatchSpanProcessor({
        exporter: reportFailures(new OTLPTraceExporter(), logger),
        scheduledDelayMillis: config.exportEveryMs,
      }),
    ],
  });
  setTracing(tracingBy(provider.getTracer(SERVICE)));
  return {
    async stop() {
      setTracing(undefined);
      const sent = provider.shutdown().catch(() => undefined);
      await Promise.race([sent, sleep(LAST_EXPORT_MS, undefined, { ref: false })]);
    },
  };
}

const KINDS = { client: SpanKind.CLIENT, consumer: SpanKind.CONSUMER, internal: SpanKind.INTERNAL };

function tracingBy(tracer: Tracer): Tracing {
  const propagator = new W3CTraceContextPropagator();

  function start(name: string, { kind = 'internal', attributes }: SpanOptions): Span {
    return tracer.startSpan(name, { kind: KINDS[kind], ...(attributes && { attributes }) });
  }

  return {
    request(headers) {
      const caller = propagator.extract(ROOT_CONTEXT, headers, defaultTextMapGetter);
      return requestSpan(tracer.startSpan('request', { kind: SpanKind.SERVER }, caller), caller);
    },
    async span(name, options, work) {
      const span = start(name, options);
      try {
        const result = await context.with(trace.setSpan(context.active(), span), work);
        span.end();
        return result;
      } catch (error) {
        endWith(span, error);
        throw error;
      }
    },
    begin(name, options) {
      const span = start(name, options);
      return (error) => (error === undefined ? span.end() : endWith(span, error));
    },
    traceId: () => trace.getActiveSpan()?.spanContext().traceId,
  };
}

function requestSpan(span: Span, caller: Context): ReturnType<Tracing['request']> {
  return {
    traceId: span.spanContext().traceId,
    run: (work) => context.with(trace.setSpan(caller, span), work),
    end({ name, method, status }) {
      span.updateName(name);
      span.setAttribute('http.request.method', method);
      if (status !== undefined) span.setAttribute('http.response.status_code', status);
      // A client's mistake is not a failure of the service.
      if (status === undefined || status >= 500) fail(span, status === undefined ? 'aborted' : String(status));
      span.end();
    },
  };
}

/** Ends a failed span. Omits the error's message, because messages of Postgres and mail servers repeat values. */
function endWith(span: Span, error: unknown): void {
  const { code, status, name = 'unknown' } = (error ?? {}) as { code?: unknown; status?: unknown; name?: string };
  const type = typeof code === 'string' ? code : name;
  if (typeof status === 'number' && status < 500) span.setAttribute('error.type', type);
  else fail(span, type);
  span.end();
}

function fail(span: Span, type: string): void {
  span.setAttribute('error.type', type);
  span.setStatus({ code: SpanStatusCode.ERROR });
}

/** Creates the sampler. A `parentbased` sampler follows the `traceparent` of a caller that sends one. */
function createSampler({ sampler, ratio }: TracingConfig): Sampler {
  switch (sampler) {
    case 'always_on':
      return new AlwaysOnSampler();
    case 'always_off':
      return new AlwaysOffSampler();
    case 'traceidratio':
      return new TraceIdRatioBasedSampler(ratio);
    case 'parentbased_always_on':
      return new ParentBasedSampler({ root: new AlwaysOnSampler() });
    case 'parentbased_always_off':
      return new ParentBasedSampler({ root: new AlwaysOffSampler() });
    case 'parentbased_traceidratio':
      return new ParentBasedSampler({ root: new TraceIdRatioBasedSampler(ratio) });
  }
}
