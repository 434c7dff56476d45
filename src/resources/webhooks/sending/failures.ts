import { RefusedAddressError } from '../../../outbound/connector.ts';

/** Why no answer came. */
export type WebhookFailure = 'refused_address' | 'name_not_found' | 'connection_failed' | 'tls_failed' | 'timed_out';

const OF_NAMES = /^(ENOTFOUND|EAI_\w+)$/;
const OF_TLS =
  /^(ERR_TLS_\w+|ERR_SSL_\w+|CERT_\w+|\w*SELF_SIGNED\w*|UNABLE_TO_\w+|HOSTNAME_MISMATCH|EPROTO|INVALID_CA|\w+_CERT\w*)$/;

/** What an error of a connection means for who has to mend it. Its message is for nobody: it may name addresses of ours. */
export function failureOf(error: unknown): WebhookFailure {
  const { name, code, errors = [] } = (error ?? {}) as { name?: string; code?: string; errors?: unknown[] };
  // One for each address that the name has.
  if (errors.length > 0) return failureOf(errors.at(-1));
  if (error instanceof RefusedAddressError) return 'refused_address';
  if (name === 'AbortError' || name === 'TimeoutError') return 'timed_out';
  if (code === 'ETIMEDOUT') return 'timed_out';
  if (code !== undefined && OF_NAMES.test(code)) return 'name_not_found';
  return code !== undefined && OF_TLS.test(code) ? 'tls_failed' : 'connection_failed';
}
