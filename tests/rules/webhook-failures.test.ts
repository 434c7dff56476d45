import { RefusedAddressError } from '../../src/outbound/connector.ts';
import { toWebhookFailure } from '../../src/resources/webhooks/sending/post-webhook.ts';

const coded = (code: string) => Object.assign(new Error('it says 10.0.0.1'), { code });

test.each([
  ['ECONNREFUSED', 'connection_failed'],
  ['ECONNRESET', 'connection_failed'],
  ['HPE_INVALID_CONSTANT', 'connection_failed'],
  ['ENOTFOUND', 'name_not_found'],
  ['EAI_AGAIN', 'name_not_found'],
  ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls_failed'],
  ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls_failed'],
  ['SELF_SIGNED_CERT_IN_CHAIN', 'tls_failed'],
  ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls_failed'],
  ['CERT_HAS_EXPIRED', 'tls_failed'],
  ['EPROTO', 'tls_failed'],
  ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls_failed'],
  ['ETIMEDOUT', 'timed_out'],
])('the error %s becomes %s', (code, failure) => {
  expect(toWebhookFailure(coded(code))).toBe(failure);
});

test('for a name with several IP addresses the last one decides, and an abort is a time-out', () => {
  expect(toWebhookFailure(new AggregateError([coded('ECONNREFUSED'), new RefusedAddressError()]))).toBe(
    'refused_address',
  );
  expect(toWebhookFailure(AbortSignal.abort(new DOMException('late', 'TimeoutError')).reason)).toBe('timed_out');
  expect(toWebhookFailure(Object.assign(new Error('aborted'), { name: 'AbortError' }))).toBe('timed_out');
  expect(toWebhookFailure(undefined)).toBe('connection_failed');
});
