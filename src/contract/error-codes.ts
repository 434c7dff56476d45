import type { components } from '../../generated/api-types.ts';
import { specificErrorCodes } from './specific-error-codes.ts';

export type ErrorCode = components['schemas']['ErrorCode'];

interface ErrorCodeInfo {
  status: number;
  /** The condition of the error, for the table in docs/guides/errors.md. */
  when: string;
  /** The action that the client should take, for the same table. */
  action: string;
}

/**
 * Every error code of the contract. The first code of each status is its generic code: clients treat unknown codes of
 * the status like the generic code.
 * `make generate` writes the table of docs/guides/errors.md from this record.
 */
export const errorCodes = {
  invalid_request: {
    status: 400,
    when: 'A part of the request is missing, unknown or invalid, or it is not valid HTTP (then also 408, 417 or 431).',
    action: 'Correct the fields that `details` names.',
  },
  unsupported_media_type: {
    status: 400,
    when: 'The body has a `Content-Type` or a charset that the operation does not accept.',
    action: 'Send the `Content-Type` that the contract names, in UTF-8.',
  },
  unauthorized: {
    status: 401,
    when: 'The API key, token, source secret or signature is missing or invalid.',
    action: 'Stop, and check the credentials.',
  },
  forbidden: {
    status: 403,
    when: 'The caller cannot use this operation, this company or this resource.',
    action: 'Stop, and use a key of a company that has access.',
  },
  insufficient_scope: {
    status: 403,
    when: 'The API key lacks the scope that the operation needs.',
    action: 'Use a key with the scope that the message names.',
  },
  module_not_enabled: {
    status: 403,
    when: 'The company lacks the module that the operation or one of its parameters needs.',
    action: 'Ask the operator to enable the module.',
  },
  not_found: {
    status: 404,
    when: 'The path or an id does not exist, or belongs to another company.',
    action: 'Check the path and its ids.',
  },
  method_not_allowed: {
    status: 405,
    when: 'The path does not support the method.',
    action: 'Use a method that `Allow` names.',
  },
  length_required: {
    status: 411,
    when: 'An upload has no `Content-Length` header.',
    action: 'Send `Content-Length` with the upload.',
  },
  payload_too_large: {
    status: 413,
    when: 'The body or the file is too large, or the company stores too many bytes of files.',
    action: 'Send less, or remove stored files first ([limits](limits.md)).',
  },
  rate_limited: {
    status: 429,
    when: 'The company, the key or the network makes too many calls in a period or at the same time.',
    action: 'Wait `Retry-After` seconds, then retry.',
  },
  internal_error: {
    status: 500,
    when: 'The service failed unexpectedly.',
    action: 'Report `X-Request-Id` to the operator.',
  },
  service_unavailable: {
    status: 502,
    when: 'The service or a system that it depends on is temporarily unavailable.',
    action: 'Retry with increasing waits.',
  },
  breach_data_unavailable: {
    status: 503,
    when: 'The breach feed rejects the request, limits it or fails, and no recent data is stored.',
    action: 'Retry later, after `Retry-After` if the response has it.',
  },
  not_ready: {
    status: 503,
    when: 'The process does not take traffic yet, or its worker is stuck; only `/v1/ready` returns this code.',
    action: 'Do not send calls to this process yet.',
  },
  secrets_key_missing: {
    status: 503,
    when: 'The service has no key to encrypt a new secret, or lacks the key that encrypted a stored one.',
    action: 'Report it to the operator, who sets `SECRETS_KEY`.',
  },
  service_timeout: {
    status: 504,
    when: 'The call, the breach feed, or an earlier call with the same `Idempotency-Key` takes too long.',
    action: 'Retry later with the same `Idempotency-Key`; request less if it happens again.',
  },
  ...specificErrorCodes,
} as const satisfies Record<ErrorCode, ErrorCodeInfo>;
