import { randomUUID } from 'node:crypto';
import { readProviderReports } from '../../src/mail/bounces/provider-reports.ts';
import { mailgunReport, postmarkReport, sendGridEvent, sesReport } from '../support/provider-reports.ts';

const sent = { messageId: randomUUID(), address: 'ada@tenant.test' };
const readOne = (report: unknown) => readProviderReports(report)!.map(({ bounce }) => bounce);

const HARD = { class: 'hard', reason: 'mailbox_unknown', status: '5.1.1' };

test.each([
  ['SES', sesReport(sent)],
  ['SES by event publishing', { ...sesReport(sent), notificationType: undefined, eventType: 'Bounce' }],
  ['SendGrid', [sendGridEvent(sent)]],
  ['Mailgun', mailgunReport(sent)],
  ['Postmark', postmarkReport(sent)],
])('%s reports a hard bounce with its address and time', (_provider, report) => {
  const [read, ...others] = readProviderReports(report)!;
  expect(others).toEqual([]);
  expect(read).toMatchObject({ bounce: HARD, address: sent.address });
  expect(read!.occurredAt!.toISOString().slice(0, 19)).toBe('2026-11-20T10:00:00');
});

const withStatus = (status: string, diagnosticCode: string) => [{ emailAddress: sent.address, status, diagnosticCode }];

test.each([
  [
    'a full mailbox of SES',
    sesReport(sent, { bounceType: 'Transient', bouncedRecipients: withStatus('5.2.2', 'smtp; 552 5.2.2 over quota') }),
    { class: 'soft', reason: 'mailbox_full' },
  ],
  [
    'a suppressed address of SES',
    sesReport(sent, { bounceSubType: 'Suppressed', bouncedRecipients: [{ emailAddress: sent.address }] }),
    { class: 'hard', reason: 'other', status: null },
  ],
  [
    'spam that SES calls permanent',
    sesReport(sent, { bouncedRecipients: withStatus('5.7.1', 'smtp; 554 5.7.1 blocked as spam') }),
    { class: 'blocked', reason: 'blocked' },
  ],
  [
    'an unknown host of SendGrid, without a status',
    [sendGridEvent(sent, { type: 'blocked', status: undefined, reason: 'unable to get mx info' })],
    { class: 'blocked', reason: 'other' },
  ],
  [
    'an address that SendGrid no longer tries',
    [sendGridEvent(sent, { event: 'dropped', reason: 'Bounced Address', status: '5.0.0', type: undefined })],
    { class: 'hard' },
  ],
  [
    'an address that Mailgun no longer tries',
    mailgunReport(sent, { reason: 'suppress-bounce', 'delivery-status': { code: 605, message: '' } }),
    { class: 'hard', reason: 'other' },
  ],
  [
    'the last attempt of Mailgun',
    mailgunReport(sent, { severity: 'temporary', reason: 'old', 'delivery-status': { code: 602, message: 'Too old' } }),
    { class: 'soft', reason: 'other' },
  ],
  [
    'a block of Postmark',
    postmarkReport(sent, { Type: 'Blocked', Details: '' }),
    { class: 'blocked', reason: 'other' },
  ],
])('%s has the right class', (_case, report, bounce) => {
  expect(readOne(report)).toEqual([expect.objectContaining(bounce)]);
});

test.each([
  ['a complaint of SES', { notificationType: 'Complaint', complaint: {}, mail: {} }],
  ['a delivery of SES', { eventType: 'Delivery', delivery: {}, mail: {} }],
  ['a delay of SendGrid', [sendGridEvent(sent, { event: 'deferred' })]],
  ['an unsubscribed address of SendGrid', [sendGridEvent(sent, { event: 'dropped', reason: 'Unsubscribed Address' })]],
  ['an empty list', []],
  ['a delay of Mailgun', mailgunReport(sent, { severity: 'temporary', reason: 'generic' })],
  ['a click of Mailgun', mailgunReport(sent, { event: 'clicked' })],
  ['a delay of Postmark', postmarkReport(sent, { Type: 'Transient' })],
  ['an automatic reply of Postmark', postmarkReport(sent, { Type: 'AutoResponder' })],
  ['an opened email of Postmark', { RecordType: 'Open' }],
])('%s is not a bounce', (_case, report) => expect(readOne(report)).toEqual([]));

test.each([
  ['null', null],
  ['a string', 'bounce'],
  ['an unknown object', { type: 'bounce' }],
  ['a list with something else', [sendGridEvent(sent), { kind: 'x' }]],
])('%s has no known format', (_case, report) => expect(readProviderReports(report)).toBeUndefined());

test.each([
  ['SES', { notificationType: 'Bounce', bounce: 'x', mail: [] }],
  ['SES without recipients', { notificationType: 'Bounce', bounce: { bouncedRecipients: [null, 1] }, mail: null }],
  ['SendGrid', [{ event: 'bounce', email: 'x', timestamp: 1e300, reason: {}, status: [] }]],
  ['Mailgun', { 'event-data': { event: 'failed', severity: 'permanent', message: 7, timestamp: 'x' } }],
  ['Postmark', { RecordType: 'Bounce', Type: 'HardBounce', Details: 3, BouncedAt: {} }],
])('%s with fields of other types is read without an error', (_provider, report) => {
  expect(readProviderReports(report)).toBeDefined();
});
