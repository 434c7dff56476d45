import { Ajv2020, type ErrorObject, type ValidateFunction } from 'ajv/dist/2020.js';
import addFormats from 'ajv-formats';
import contract from '../../../generated/openapi.json' with { type: 'json' };
import { type KeyedOperationId, operations } from '../../contract.ts';
import { ApiError, type FieldError } from '../../errors.ts';
import { once } from '../../web/once.ts';
import { inWords } from '../../web/validation-messages.ts';

const CONTRACT = 'contract';

const ajv = once(() => {
  const made = addFormats.default(new Ajv2020({ strict: false, allErrors: true }), { mode: 'full' });
  return made.addSchema(contract, CONTRACT);
});
const validators = new Map<KeyedOperationId, ValidateFunction>();

/**
 * Holds what a form has made the body of an operation against the contract, as REST holds a body.
 * @throws {ApiError} `invalid_request` with the fields, such as `body/name`
 */
export function requireValidBody(operationId: KeyedOperationId, body: unknown): void {
  const validate = validatorOf(operationId);
  if (validate(body)) return;
  const byField = new Map<string, FieldError>();
  for (const error of validate.errors!) {
    const field = fieldOf(error);
    if (!byField.has(field)) byField.set(field, { field, message: inWords(field, error.message ?? 'is invalid') });
  }
  const details = [...byField.values()];
  throw new ApiError('invalid_request', `${details[0]!.field}: ${details[0]!.message}`, { details });
}

function validatorOf(operationId: KeyedOperationId): ValidateFunction {
  const known = validators.get(operationId);
  if (known) return known;
  const { method, path } = operations[operationId];
  const place = ['paths', path, method, 'requestBody', 'content', 'application/json', 'schema'];
  const pointer = place.map((step) => encodeURIComponent(step.replaceAll('~', '~0').replaceAll('/', '~1'))).join('/');
  const validate = ajv().compile({ $ref: `${CONTRACT}#/${pointer}` });
  validators.set(operationId, validate);
  return validate;
}

function fieldOf({ instancePath, params }: ErrorObject): string {
  const { missingProperty } = params as { missingProperty?: string };
  return `body${instancePath}${missingProperty === undefined ? '' : `/${missingProperty}`}`;
}
