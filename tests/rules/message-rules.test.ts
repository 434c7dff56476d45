import { hashSetupToken } from '../../src/identity/setup-token.ts';
import type { MessageRow } from '../../src/mail/message-repository.ts';
import {
  causeIsGone,
  type DeliveryError,
  isPermanent,
  isWhole,
  MAX_ATTEMPTS,
  formatFailureReason,
} from '../../src/mail/message-rules.ts';

const now = new Date('2026-03-02T08:30:00.000Z');
const message = (fields: Partial<MessageRow>): MessageRow => ({
  id: '0192a3b4-0000-7000-8000-000000000001',
  kind: 'course_enrollment',
  createdAt: '2026-03-01T08:30:00.000Z',
  companyName: 'The company',
  email: 'ada@tenant.test',
  firstName: 'Ada',
  name: 'Ada Lovelace',
  locale: null,
  inactive: false,
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

describe('causeIsGone', () => {
  test.each(['course_enrollment', 'course_reminder', 'policy_request', 'policy_reminder'] as const)(
    'a %s is for an active learner who has something left to do',
    (kind) => {
      expect(causeIsGone(message({ kind }), now)).toBeUndefined();
      expect(causeIsGone(message({ kind, inactive: true }), now)).toMatch(/inactive/);
      expect(causeIsGone(message({ kind, subjectNames: [] }), now)).toMatch(/no longer needs action/);
    },
  );

  test('an invite is for the link that the admin has, until it ends', () => {
    expect(causeIsGone(invite(), now)).toBeUndefined();
    expect(causeIsGone(invite({ setupTokenHash: hashSetupToken('newer') }), now)).toMatch(/replaced or used/);
    expect(causeIsGone(invite({ setupTokenHash: null, setupExpiresAt: null }), now)).toMatch(/replaced or used/);
    expect(causeIsGone(invite({ setupToken: null }), now)).toMatch(/replaced or used/);
    expect(causeIsGone(invite({ setupExpiresAt: now.toISOString() }), now)).toMatch(/expired/);
  });
});

test('a message is whole while all that it was queued for is left to do', () => {
  expect(isWhole(message({}), now)).toBe(true);
  expect(isWhole(message({ subjectIds: ['one', 'two'] }), now)).toBe(false);
  expect(isWhole(message({ subjectNames: [] }), now)).toBe(false);
  expect(isWhole(message({ inactive: true }), now)).toBe(false);
  expect(isWhole(invite(), now)).toBe(true);
});

const failure = (fields: Partial<DeliveryError>): DeliveryError => Object.assign(new Error('It failed'), fields);

describe('isPermanent', () => {
  test.each<[string, Partial<DeliveryError>]>([
    ['a mailbox that is not there', { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 550 }],
    ['a message that is refused', { code: 'EMESSAGE', command: 'DATA', responseCode: 554 }],
    ['a message that is refused before it is sent', { code: 'EENVELOPE', command: 'DATA', responseCode: 554 }],
    ['an address that is none', { code: 'EENVELOPE', command: 'API' }],
  ])('%s is', (_case, fields) => {
    expect(isPermanent(failure(fields))).toBe(true);
  });

  test.each<[string, Partial<DeliveryError>]>([
    ['a mailbox that is busy', { code: 'EENVELOPE', command: 'RCPT TO', responseCode: 450 }],
    ['a message that is deferred', { code: 'EMESSAGE', command: 'DATA', responseCode: 451 }],
    ['a sender that is refused', { code: 'EENVELOPE', command: 'MAIL FROM', responseCode: 550 }],
    ['a wrong password', { code: 'EAUTH', command: 'AUTH PLAIN', responseCode: 535 }],
    ['a greeting that refuses', { code: 'EPROTOCOL', command: 'CONN', responseCode: 554 }],
    ['a connection that is refused', { code: 'ESOCKET', command: 'CONN' }],
    ['a connection that breaks', { code: 'ECONNECTION', command: 'CONN' }],
    ['a name that is not found', { code: 'EDNS', command: 'CONN' }],
    ['a certificate that nobody vouches for', { code: 'ETLS', command: 'CONN' }],
    ['a server that is silent', { code: 'ETIMEDOUT', command: 'CONN' }],
    ['a folder that cannot be written', { code: 'EACCES' }],
    ['a failure of our own', {}],
  ])('%s is not', (_case, fields) => {
    expect(isPermanent(failure(fields))).toBe(false);
  });
});

describe('formatFailureReason', () => {
  test('is what the server answered, or else what happened', () => {
    expect(formatFailureReason(failure({ response: '550 no such mailbox' }))).toBe('550 no such mailbox');
    expect(formatFailureReason(failure({}))).toBe('It failed');
  });

  test('is short, however long the answer', () => {
    expect(formatFailureReason(failure({ response: 'x'.repeat(501) }))).toBe('x'.repeat(500));
  });

  test('can be stored: the database takes no null character', () => {
    expect(formatFailureReason(failure({ response: '550 no \0 mailbox' }))).toMatch(/^550 no [^\0]*mailbox$/);
  });
});

test('the attempts go on for hours, and end on the same day or the next', () => {
  const pauses = Array.from({ length: MAX_ATTEMPTS - 1 }, (_, n) => Math.exp(Math.min(n + 1, 10)));
  const hours = pauses.reduce((sum, seconds) => sum + seconds, 0) / 3600;
  expect(hours).toBeGreaterThan(6);
  expect(hours).toBeLessThan(24);
});
