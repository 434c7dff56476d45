import type { ErrorObject, ValidateFunction } from 'ajv';
import contract from '../../../generated/openapi.json' with { type: 'json' };
import { createAjv } from '../../contract/ajv.ts';
import { type KeyedOperationId, operations } from '../../contract/contract.ts';
import { ApiError, type FieldError, formatFieldError } from '../../contract/errors.ts';
import { type Normalize, type NormalizedSchema, createNormalizer } from '../../operations/normal-input.ts';
import { resolved } from '../../operations/resolved-schema.ts';
import { once } from '../../http/once.ts';
import { formatValidationError } from '../../contract/validation-messages.ts';

const ajv = once(() => createAjv({ allErrors: true }));

interface Body {
  normalize: Normalize | undefined;
  validate: ValidateFunction;
}

const bodies = new Map<KeyedOperationId, Body>();

/**
 * Validates the body that a form built for an operation, as REST validates a body. Normalises it in place first.
 * @throws {ApiError} `invalid_request` with the fields, such as `body/name`
 */
export function requireValidBody(operationId: KeyedOperationId, body: unknown): void {
  const { normalize, validate } = getBody(operationId);
  normalize?.(body);
  if (validate(body)) return;
  const byField = new Map<string, FieldError>();
  for (const error of validate.errors!) {
    const field = getFieldPath(error);
    if (!byField.has(field))
      byField.set(field, { field, message: formatValidationError(field, error.message ?? 'is invalid') });
  }
  const details = [...byField.values()];
  throw new ApiError('invalid_request', formatFieldError(details[0]!), { details });
}

function getBody(operationId: KeyedOperationId): Body {
  const existing = bodies.get(operationId);
  if (existing) return existing;
  const { method, path } = operations[operationId];
  const { requestBody } = (contract.paths as unknown as Paths)[path]![method]!;
  const { schema } = resolved(requestBody, contract).content['application/json']!;
  const body = { normalize: createNormalizer(schema), validate: ajv().compile(schema) };
  bodies.set(operationId, body);
  return body;
}

type Paths = Record<string, Record<string, { requestBody: { content: Record<string, { schema: NormalizedSchema }> } }>>;

function getFieldPath({ instancePath, params }: ErrorObject): string {
  const { missingProperty } = params as { missingProperty?: string };
  return `body${instancePath}${missingProperty === undefined ? '' : `/${missingProperty}`}`;
}
