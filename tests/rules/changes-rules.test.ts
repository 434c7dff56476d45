/** @jest-environment node */
import { changesSince } from '../../src/resources/events/log/changes-rules.ts';
import { writeSyncToken } from '../../src/resources/events/log/sync-token.ts';

const OF = { companyId: '0192a3b4-0000-7000-8000-000000000001', log: 'server/database/1' };
const NOW = Date.parse('2026-11-23T12:00:00Z');
const asked = (transactionId: string, readAt: number) =>
  changesSince(writeSyncToken(OF, { transactionId, readAt }), OF, { transactionId: '50', readAt: NOW });

test('a place that was written names its transaction and its time', () => {
  expect(asked('50', NOW)).toMatchObject({ sinceTransactionId: '50', coursesSince: '2026-11-23T11:00:00.000Z' });
});

test.each([
  ['transaction', '51', NOW],
  ['time, which may be none of Postgres', '50', 2 ** 48 - 1],
])('a place with a later %s is refused', (_, transactionId, readAt) => {
  expect(asked(transactionId, readAt)).toBe('must not be in the future');
});
