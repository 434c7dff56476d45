/** @jest-environment-options {"SECRETS_KEY": ""} */
import { expectError, fingerprintOf, post } from '../../support/client.ts';
import { unknownId } from '../../support/world.ts';
import { sourceId } from '../../support/world-sources.ts';
import { deliver, event } from './deliveries.ts';

test('without SECRETS_KEY, a gophish source returns 503 and an xapi source is created', async () => {
  const before = await fingerprintOf('tenant');
  expectError(await post('/sources', { name: 'GoPhish', kind: 'gophish' }), 503, 'secrets_key_missing');
  expectError(await post(`/sources/${sourceId('tenant', 'gophish')}/rotate`), 503, 'secrets_key_missing');
  expect(await fingerprintOf('tenant')).toBe(before);
  expect((await post('/sources', { name: 'Moodle', kind: 'xapi' })).status).toBe(200);
});

test('without SECRETS_KEY, GoPhish events return 503 for known and unknown sources', async () => {
  for (const id of [sourceId('tenant', 'gophish'), unknownId])
    expectError(await deliver(event('Clicked Link'), { id }), 503, 'secrets_key_missing');
});
