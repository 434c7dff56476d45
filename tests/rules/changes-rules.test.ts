/** @jest-environment node */
import { changesSince } from '../../src/resources/events/log/changes-rules.ts';
import { writeSyncToken } from '../../src/resources/events/log/sync-token.ts';

const OF = { companyId: '0192a3b4-0000-7000-8000-000000000001', log: 'server/database/1' };
const NOW = Date.parse('2026-11-23T12:00:00Z');
const asked = (transactionId: string, readAt: number) =>
  changesSince(writeSyncToken(OF, { transactionId, readAt }), OF, { transactionId: '50', readAt: NOW });

test('a sync token yields its transaction and the time a little before it was written', () => {
  expect(asked('50', NOW)).toMatchObject({ sinceTransactionId: '50', coursesSince: '2026-11-23T11:00:00.000Z' });
});

test.each([
  ['transaction', '51', NOW],
  ['time, out of range for Postgres', '50', 2 ** 48 - 1],
])('a sync token with a future %s is rejected', (_, transactionId, readAt) => {
  expect(asked(transactionId, readAt)).toBe('must not be in the future');
});
