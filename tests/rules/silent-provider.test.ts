// A provider that accepts requests, and never responds.
import { ProviderReads } from '../../src/identity/providers/provider-reads.ts';
import { beginAttempt } from '../../src/identity/providers/sign-in-attempt.ts';
import { SignInFault } from '../../src/identity/providers/sign-in-fault.ts';
import { createClient, startProvider, type TestProvider, toAccess } from '../support/provider-sign-in.ts';
import { createSigningKey, PATHS } from '../support/scripted-provider.ts';

let started: TestProvider;
let requests = 0;

beforeAll(async () => {
  started = await startProvider();
});
afterAll(() => started.provider.stop());
beforeEach(() => {
  requests = 0;
  started.provider.prepare(createSigningKey('ES256'));
  started.provider.exchange.answers[PATHS.discovery] = () => void (requests += 1);
});

const urls = { callbackUrl: 'https://awareness.example.org/sso/company/provider/callback', loginHint: '' };
const catchReason = (outcome: Promise<unknown>) =>
  outcome.then(
    () => 'none',
    (error: unknown) => (error instanceof SignInFault ? error.reason : error),
  );

test('many visitors at once cause one request, and later visitors cause none', async () => {
  const client = createClient(started.authority, { isImpatient: true });
  const access = toAccess(started.provider);
  const begin = () => catchReason(client.buildSignInUrl(access, beginAttempt('provider', 'learner'), urls));
  const outcomes = await Promise.all(Array.from({ length: 50 }, begin));
  expect([new Set(outcomes), requests]).toEqual([new Set(['provider_unavailable']), 1]);
  expect([await begin(), requests]).toEqual(['provider_unavailable', 1]);
  const other = { ...access, id: 'other' };
  expect(await catchReason(client.buildSignInUrl(other, beginAttempt('other', 'learner'), urls))).toBe(
    'provider_unavailable',
  );
  expect(requests).toBe(2);
});

describe('reads', () => {
  let now = 0;
  const access = () => toAccess(started.provider);
  const fail = (reason: 'provider_unavailable' | 'response_invalid') => () => {
    requests += 1;
    return Promise.reject(new SignInFault(reason));
  };

  test('fail at once for 30 seconds after the provider did not respond', async () => {
    const reads = new ProviderReads<string>(() => now);
    const read = () => catchReason(reads.read(access(), fail('provider_unavailable')));
    expect([await read(), await read(), requests]).toEqual(['provider_unavailable', 'provider_unavailable', 1]);
    now += 29_999;
    expect([await read(), requests]).toEqual(['provider_unavailable', 1]);
    now += 1;
    expect(await reads.read(access(), () => Promise.resolve('back'))).toBe('back');
    expect(await reads.read(access(), () => Promise.resolve('again'))).toBe('again');
  });

  test('are repeated at once after an invalid response, and with changed settings', async () => {
    const reads = new ProviderReads<string>(() => now);
    for (let count = 0; count < 2; count += 1)
      expect(await catchReason(reads.read(access(), fail('response_invalid')))).toBe('response_invalid');
    expect(requests).toBe(2);
    await catchReason(reads.read(access(), fail('provider_unavailable')));
    const changed = { ...access(), issuer: 'https://other.example.org' };
    expect(await reads.read(changed, () => Promise.resolve('back'))).toBe('back');
  });
});
