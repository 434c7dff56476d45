import { hashSetupToken } from '../../src/identity/setup-token.ts';
import type { MessageRow } from '../../src/mail/messages/message-repository.ts';
import {
  getObsoleteReason,
  type DeliveryError,
  isPermanent,
  isWhole,
  MAX_ATTEMPTS,
  formatFailureReason,
} from '../../src/mail/sending/message-rules.ts';

const now = new Date('2026-03-02T08:30:00.000Z');
const message = (fields: Partial<MessageRow>): MessageRow => ({
  id: '0192a3b4-0000-7000-8000-000000000001',
  kind: 'course_enrollment',
  createdAt: '2026-03-01T08:30:00.000Z',
  companyName: 'The company',
  ...{ brandColor: null, brandReplyTo: null, brandLogo: null, brandLogoFacts: null },
  email: 'ada@tenant.test',
  firstName: 'Ada',
  name: 'Ada Lovelace',
  locale: null,
  inactive: false,
  learnerId: '0192a3b4-0000-7000-8000-300000000001',
  isUndeliverable: false,
  timeZone: 'UTC',
  absentUntil: null,
  isToFormerAddress: false,
  setupToken: null,
  setupTokenHash: null,
  setupExpiresAt: null,
  subjectIds: ['0192a3b4-0000-7000-8000-400000000001'],
  subjectNames: ['Phishing'],
  ...fields,
});
const invite = (fields: Partial<MessageRow> = {}) =>
  message({
    kind: 'admin_invite',
    subjectIds: [],
    subjectNames: [],
    setupToken: 'secret',
    setupTokenHash: hashSetupToken('secret'),
    setupExpiresAt: '2026-03-02T08:30:00.001Z',
    ...fields,
  });

describe('getObsoleteReason', () => {
  test.each(['course_enrollment', 'course_reminder', 'policy_request', 'policy_reminder'] as const)(
    'a %s has a cause while the learner is active and still has to act',
    (kind) => {
      expect(getObsoleteReason(message({ kind }), now)).toBeUndefined();
      expect(getObsoleteReason(message({ kind, inactive: true }), now)).toMatch(/inactive/);
      expect(getObsoleteReason(message({ kind, subjectNames: [] }), now)).toMatch(/no longer needs action/);
    },
  );

  test('an invite has a cause while its link is current and has not expired', () => {
    expect(getObsoleteReason(invite(), now)).toBeUndefined();
    expect(getObsoleteReason(invite({ setupTokenHash: hashSetupToken('newer') }), now)).toMatch(/replaced or used/);
    expect(getObsoleteReason(invite({ setupTokenHash: null, setupExpiresAt: null }), now)).toMatch(/replaced or used/);
    expect(getObsoleteReason(invite({ setupToken: null }), now)).toMatch(/replaced or used/);
    expect(getObsoleteReason(invite({ setupExpiresAt: now.toISOString() }), now)).toMatch(/expired/);
  });
});

test('isWhole is true only if every queued subject is still due', () => {
  expect(isWhole(message({}), now)).toBe(true);
  expect(isWhole(message({ subjectIds: ['one', 'two'] }), now)).toBe(false);
  expect(isWhole(message({ subjectNames: [] }), now)).toBe(false);
  expect(isWhole(message({ inactive: true }), now)).toBe(false);
  expect(isWhole(invite(), now)).toBe(true);
});

const failure = (fields: Partial<DeliveryError>): DeliveryError => Object.assign(new Error('It failed'), fields);

/** A rejection by Exchange Online after it has read the message. */
const exchange = (response: string): Partial<DeliveryError> => ({
  ...{ code: 'EMESSAGE', command: 'DATA', responseCode: Number(response.slice(0, 3)), response },
});

describe('isPermanent', () => {
  test.each<[string, Partial<DeliveryError>]>([
    ['a missing mailbox', { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550 }],
    ['a rejected message', { code: 'EMESSAGE', command: 'DATA', responseCode: 554 }],
    ['a message rejected before it is sent', { code: 'EENVELOPE', command: 'DATA', responseCode: 554 }],
    ['an invalid address', { code: 'EENVELOPE', command: 'API' }],
    ['a rejected content', exchange('554 5.7.1 looks like spam')],
    ['a recipient who accepts no email from strangers', exchange('550 5.7.124 sender not in allowed list')],
  ])('%s is permanent', (_case, fields) => {
    expect(isPermanent(failure(fields))).toBe(true);
  });

  test.each<[string, Partial<DeliveryError>]>([
    ['a busy mailbox', { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 450 }],
    ['a deferred message', { code: 'EMESSAGE', command: 'DATA', responseCode: 451 }],
    ['a rejected sender', { code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 550 }],
    ['a wrong password', { code: 'EAUTH', command: 'AUTH PLAIN', responseCode: 535 }],
    ['a rejecting greeting', { code: 'EPROTOCOL', command: 'CONN', responseCode: 554 }],
    ['a refused connection', { code: 'ESOCKET', command: 'CONN' }],
    ['a broken connection', { code: 'ECONNECTION', command: 'CONN' }],
    ['an unknown host name', { code: 'EDNS', command: 'CONN' }],
    ['an untrusted certificate', { code: 'ETLS', command: 'CONN' }],
    ['a silent server', { code: 'ETIMEDOUT', command: 'CONN' }],
    ['an unwritable folder', { code: 'EACCES' }],
    ['an error without a code', {}],
    ['a login that is rejected at DATA', { code: 'EMESSAGE', command: 'DATA', responseCode: 535 }],
    ['a login that is rejected at RCPT TO', { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 530 }],
    ['a denied sender', exchange('550 5.7.60 SMTP; Client does not have permissions to send as this sender')],
    ['another denied sender', exchange('554 5.2.252 SendAsDenied; a@sender.test not allowed to send as b')],
    ['a blocked tenant', exchange('550 5.7.708 Service unavailable. Access denied')],
  ])('%s is temporary', (_case, fields) => {
    expect(isPermanent(failure(fields))).toBe(false);
  });
});

describe('formatFailureReason', () => {
  test('returns the server response, otherwise the error message', () => {
    expect(formatFailureReason(failure({ response: '550 no such mailbox' }))).toBe('550 no such mailbox');
    expect(formatFailureReason(failure({}))).toBe('It failed');
  });

  test('truncates long responses', () => {
    expect(formatFailureReason(failure({ response: 'x'.repeat(501) }))).toBe('x'.repeat(500));
  });

  test('replaces null characters, which Postgres cannot store', () => {
    expect(formatFailureReason(failure({ response: '550 no \0 mailbox' }))).toMatch(/^550 no [^\0]*mailbox$/);
  });
});

test('the attempts last for hours and end within a day', () => {
  const pauses = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, n) => Math.exp(Math.min(n + 1, 10)));
  const hours = pauses.reduce((sum, seconds) => sum + seconds, 0) / 3600;
  expect(hours).toBeGreaterThan(6);
  expect(hours).toBeLessThan(24);
});
