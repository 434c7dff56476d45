import { ExportResultCode } from '@opentelemetry/core';
import type { SpanExporter } from '@opentelemetry/sdk-trace';
import type { Logger } from '../logger.ts';

/** Wraps an exporter. Logs once that the receiver rejects traces, and once that it accepts them again. */
export function reportFailures(exporter: SpanExporter, logger: Logger): SpanExporter {
  let isFailing = false;
  return {
    export(spans, done) {
      exporter.export(spans, (result) => {
        const failed = result.code !== ExportResultCode.SUCCESS;
        if (failed && !isFailing) logger.warn({ reason: result.error?.message }, 'sending traces failed');
        if (!failed && isFailing) logger.info('sending traces recovered');
        isFailing = failed;
        done(result);
      });
    },
    forceFlush: () => exporter.forceFlush?.() ?? Promise.resolve(),
    shutdown: () => exporter.shutdown(),
  };
}
