import type { ErrorObject, ValidateFunction } from 'ajv';
import { type tools } from '../../generated/tools.ts';
import { createAjv } from '../contract/ajv.ts';
import { ApiError } from '../contract/errors.ts';
import { formatValidationError } from '../contract/validation-messages.ts';
import { type Normalize, type NormalizedSchema, createNormalizer } from '../operations/normal-input.ts';

export type ToolEntry = (typeof tools)[number];
export type ToolOperation = ToolEntry['operations'][number];

/** The operation that a tool call selects, with its input. */
export interface ToolRequest {
  operation: ToolOperation;
  /** Input of the operation. */
  input: Record<string, unknown>;
  offset: number;
  limit: number;
}

const ajv = createAjv({ useDefaults: true, allErrors: true });

interface ArgumentReader {
  validate: ValidateFunction;
  normalize: Normalize;
}
const readers = new Map<string, ArgumentReader>();

/**
 * Checks a tool's arguments against its schema, which the contract's parameters define, and finds the operation.
 * @throws {ApiError} `invalid_request` with a sentence that says what to change
 */
export function readArguments(tool: ToolEntry, rawArgs: unknown): ToolRequest {
  const { validate, normalize } = getArgumentReader(tool);
  const args = normalize({ ...(rawArgs as object | undefined) }) as Record<string, unknown>;
  if (!validate(args)) throw new ApiError('invalid_request', formatArgumentErrors(tool, validate.errors!));
  const { limit = 0, cursor = '0', ...rest } = args;
  const operation = tool.operations.find(({ select }) => isSelected(select, rest))!;
  const allowed: readonly string[] = operation.arguments;
  const selectors = Object.keys(operation.select ?? {});
  const foreign = Object.keys(rest).filter((name) => !allowed.includes(name) && !selectors.includes(name));
  if (foreign.length > 0) {
    const selected = Object.values(operation.select ?? {}).join();
    throw new ApiError(
      'invalid_request',
      `${formatNames(foreign)} cannot be used with ${selected}; leave ${foreign.length > 1 ? 'them' : 'it'} out.`,
    );
  }
  const input = Object.fromEntries(Object.entries(rest).filter(([name]) => allowed.includes(name)));
  return { operation, input, offset: Number(cursor), limit: limit as number };
}

function isSelected(select: object | null, args: Record<string, unknown>): boolean {
  return Object.entries(select ?? {}).every(([name, value]) => args[name] === value);
}

function getArgumentReader({ name, inputSchema }: ToolEntry): ArgumentReader {
  const existing = readers.get(name);
  if (existing) return existing;
  const normalize = createNormalizer(inputSchema as NormalizedSchema) ?? ((args: unknown) => args);
  const reader = { validate: ajv.compile(inputSchema), normalize };
  readers.set(name, reader);
  return reader;
}

const MAX_FAULTS = 5;

/** Formats the first error of each argument, for at most `MAX_FAULTS` arguments. */
function formatArgumentErrors({ inputSchema }: ToolEntry, errors: readonly ErrorObject[]): string {
  const faults = new Map<string, string>();
  for (const error of errors) {
    const name = getArgumentName(error);
    if (!faults.has(name) && faults.size < MAX_FAULTS) faults.set(name, formatArgumentFault(error));
  }
  const takes = Object.keys(inputSchema.properties).join(', ') || 'no arguments';
  const sentences = [...faults].map(([name, fault]) => `${formatNames([name])} ${fault}.`);
  return `${sentences.join(' ')} This tool takes ${takes}.`;
}

function formatNames(names: readonly string[]): string {
  return names.map((name) => `\`${name}\``).join(' and ');
}

function getArgumentName({ instancePath, params }: ErrorObject): string {
  const { missingProperty, additionalProperty } = params as { missingProperty?: string; additionalProperty?: string };
  return (instancePath.slice(1) || missingProperty || additionalProperty?.slice(0, 60)) ?? 'arguments';
}

function formatArgumentFault({ keyword, params, schema, message }: ErrorObject): string {
  if (keyword === 'required') return 'is required';
  if (keyword === 'additionalProperties') return 'is not an argument of this tool';
  if (keyword === 'enum') return `must be one of ${(params as { allowedValues: string[] }).allowedValues.join(', ')}`;
  if (keyword === 'pattern')
    return String(schema).includes('{8}') ? 'must be an id from a list tool' : 'has an invalid format';
  return formatValidationError('', message ?? 'is invalid');
}
