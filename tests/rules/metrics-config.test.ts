import { readConfig } from '../../src/config/config.ts';
import { ConfigError } from '../../src/config/variables.ts';
import { readTracingConfig } from '../../src/config/tracing.ts';

const read = (env: Record<string, string>) => readConfig(env);

describe('METRICS_PORT', () => {
  test('serves no metrics if unset', () => {
    expect(read({}).metrics).toBeUndefined();
    expect(read({ METRICS_PORT: '' }).metrics).toBeUndefined();
  });

  test('binds to the loopback address unless METRICS_HOST is set', () => {
    expect(read({ METRICS_PORT: '9464' }).metrics).toEqual({ host: '127.0.0.1', port: 9464 });
    expect(read({ METRICS_PORT: '9464', METRICS_HOST: '0.0.0.0' }).metrics).toEqual({ host: '0.0.0.0', port: 9464 });
  });

  test.each<Record<string, string>>([
    { METRICS_PORT: '3000' },
    { METRICS_PORT: '9464', PORT: '9464' },
    { METRICS_PORT: 'many' },
  ])('is rejected by name: %j', (env) => {
    expect(() => read(env)).toThrow(ConfigError);
    expect(() => read(env)).toThrow(/^METRICS_PORT /);
  });
});

describe('traces', () => {
  const ENDPOINT = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://127.0.0.1:4318' };

  test.each([
    {},
    { OTEL_EXPORTER_OTLP_ENDPOINT: ' ' },
    { ...ENDPOINT, OTEL_SDK_DISABLED: 'true' },
    { ...ENDPOINT, OTEL_TRACES_EXPORTER: 'none' },
  ])('are not sent: %j', (env) => {
    expect(readTracingConfig(env)).toBeUndefined();
  });

  test('are sampled completely, or by the parent, unless a sampler is configured', () => {
    expect(readTracingConfig(ENDPOINT)).toEqual({ sampler: 'parentbased_always_on', ratio: 1, exportEveryMs: 5000 });
    const env = {
      OTEL_TRACES_SAMPLER: 'traceidratio',
      OTEL_TRACES_SAMPLER_ARG: '0.25',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    };
    const traces = { OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://traces.example.org/v1/traces' };
    expect(readTracingConfig({ ...traces, ...env })).toEqual({
      sampler: 'traceidratio',
      ratio: 0.25,
      exportEveryMs: 100,
    });
  });

  test.each([
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'collector:4318'],
    ['OTEL_EXPORTER_OTLP_ENDPOINT', 'ftp://user:secret@collector'],
    ['OTEL_EXPORTER_OTLP_PROTOCOL', 'grpc'],
    ['OTEL_TRACES_SAMPLER', 'now_and_then'],
    ['OTEL_TRACES_SAMPLER_ARG', '2'],
    ['OTEL_TRACES_SAMPLER_ARG', 'half'],
    ['OTEL_BSP_SCHEDULE_DELAY', '-1'],
  ])('%s=%s is rejected with its name', (name, value) => {
    const reading = () => readTracingConfig({ ...ENDPOINT, [name]: value });
    expect(reading).toThrow(ConfigError);
    expect(reading).toThrow(new RegExp(`^${name} `));
    expect(reading).not.toThrow(/secret/);
  });
});
