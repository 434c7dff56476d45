import { ConfigError } from './variables.ts';

type Env = Record<string, string | undefined>;

/** The settings that the exporter does not read from the environment itself. */
export interface TracingConfig {
  readonly sampler: SamplerName;
  /** The share of traces to keep, from 0 to 1, for samplers by ratio. */
  readonly ratio: number;
  /** Milliseconds between two exports. */
  readonly exportEveryMs: number;
}

export type SamplerName = (typeof SAMPLERS)[number];
const SAMPLERS = [
  'parentbased_always_on',
  'always_on',
  'always_off',
  'parentbased_always_off',
  'traceidratio',
  'parentbased_traceidratio',
] as const;

/**
 * Reads the variables of OpenTelemetry's specification; undefined if no traces are sent. OpenTelemetry's own libraries
 * read the receiver's URL, headers and timeout, and the service's attributes.
 * @throws {ConfigError} naming the variable that is invalid
 */
export function readTracingConfig(env: Env): TracingConfig | undefined {
  const names = ['OTEL_EXPORTER_OTLP_TRACES_ENDPOINT', 'OTEL_EXPORTER_OTLP_ENDPOINT'];
  const isOff = readValue(env, 'OTEL_SDK_DISABLED') === 'true' || readValue(env, 'OTEL_TRACES_EXPORTER') === 'none';
  if (isOff || names.every((name) => !readValue(env, name))) return undefined;
  for (const name of names) requireWebAddress(env, name);
  for (const name of ['OTEL_EXPORTER_OTLP_TRACES_PROTOCOL', 'OTEL_EXPORTER_OTLP_PROTOCOL']) requireHttp(env, name);
  return {
    sampler: readSampler(env),
    ratio: readNumber(env, 'OTEL_TRACES_SAMPLER_ARG', 1, 1),
    exportEveryMs: readNumber(env, 'OTEL_BSP_SCHEDULE_DELAY', 5000, 3_600_000),
  };
}

/** Requires an http or https URL. Errors never repeat the value, because it can hold a password. */
function requireWebAddress(env: Env, name: string): void {
  const value = readValue(env, name);
  if (!value || (URL.canParse(value) && /^https?:$/.test(new URL(value).protocol))) return;
  throw new ConfigError(`${name} must be a URL such as http://127.0.0.1:4318`);
}

/**
 * Rejects gRPC. Spans are sent as JSON, which every receiver of OTLP over HTTP accepts. A gRPC receiver listens on
 * another port and accepts only gRPC.
 */
function requireHttp(env: Env, name: string): void {
  if (readValue(env, name) === 'grpc') throw new ConfigError(`${name} must be http/json`);
}

function readSampler(env: Env): SamplerName {
  const value = readValue(env, 'OTEL_TRACES_SAMPLER') ?? SAMPLERS[0];
  const sampler = SAMPLERS.find((name) => name === value);
  if (!sampler) throw new ConfigError(`OTEL_TRACES_SAMPLER must be one of ${SAMPLERS.join(', ')}`);
  return sampler;
}

function readNumber(env: Env, name: string, fallback: number, max: number): number {
  const value = Number(readValue(env, name) ?? fallback);
  if (!(value >= 0 && value <= max)) throw new ConfigError(`${name} must be a number from 0 to ${max}`);
  return value;
}

function readValue(env: Env, name: string): string | undefined {
  return env[name]?.trim() || undefined;
}
