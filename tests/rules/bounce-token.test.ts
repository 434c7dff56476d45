import { randomUUID } from 'node:crypto';
import { bounceSettings } from '../../src/config/bounce-settings.ts';
import { createBounceToken, findTokens, isSignedFor, withReturnPath } from '../../src/mail/bounces/bounce-token.ts';

const keys = [Buffer.alloc(32, 1), Buffer.alloc(32, 2)];
const settings = { mailbox: 'bounces', domain: '{sender}', keys, account: undefined, webhookSecrets: [] };
const messageId = randomUUID();
const email = 'Ünï.Ada+x@tenant.test';

test('a token proves its message and its address, regardless of case', () => {
  const token = createBounceToken({ keys }, messageId, email);
  expect(token).toMatch(/^[a-z2-7]{42}$/);
  const [message, ...others] = findTokens(`To: <Bounces+${token.toUpperCase()}@sender.test>, and again ${token}`);
  expect(others).toEqual([]);
  expect(message).toMatchObject({ messageId });
  expect(isSignedFor({ keys }, message!, email.toUpperCase())).toBe(true);
  expect(isSignedFor({ keys }, message!, 'new@tenant.test')).toBe(false);
  expect(isSignedFor({ keys: [keys[1]!, keys[0]!] }, message!, email)).toBe(true);
  expect(isSignedFor({ keys: [keys[1]!] }, message!, email)).toBe(false);
});

test('a forged token fails the signature check', () => {
  const token = createBounceToken({ keys }, messageId, email);
  const forged = token.slice(0, 30) + (token[30] === 'a' ? 'b' : 'a') + token.slice(31);
  expect(isSignedFor({ keys }, findTokens(forged)[0]!, email)).toBe(false);
  expect(findTokens('a'.repeat(42))).toMatchObject([{ messageId: '00000000-0000-0000-0000-000000000000' }]);
  expect(findTokens('a'.repeat(43))).toEqual([]);
  expect(
    findTokens(Array.from({ length: 50 }, () => createBounceToken({ keys }, randomUUID(), email)).join(' ')),
  ).toHaveLength(20);
});

test('a return path has at most 64 characters before its domain', () => {
  const mail = {
    from: { name: 'A', address: 'awareness@sender.test' },
    headers: { 'Auto-Submitted': 'auto-generated' },
  };
  const { envelope, headers } = withReturnPath(mail, settings, { id: messageId, email });
  const { from } = envelope as { from: string };
  expect(from).toMatch(/^bounces\+[a-z2-7]{42}@sender\.test$/);
  expect(headers).toMatchObject({ 'Auto-Submitted': 'auto-generated', 'X-Return-Token': expect.any(String) as string });
  expect(withReturnPath(mail, undefined, { id: messageId, email })).toBe(mail);
});

test.each([
  [{ BOUNCE_ADDRESS: 'Bounces@mail.sender.test' }, { mailbox: 'bounces', domain: 'mail.sender.test' }],
  [{ BOUNCE_ADDRESS: 'bounces@{sender}' }, { domain: '{sender}', account: undefined }],
  [{}, undefined],
])('settings %j are read', (env, expected) => {
  const read = bounceSettings(env, keys);
  if (expected) expect(read).toMatchObject(expected);
  else expect(read).toBeUndefined();
});

test.each([
  [{ BOUNCE_ADDRESS: 'a-local-part-that-is-long@sender.test' }, 'at most 21 characters'],
  [{ BOUNCE_ADDRESS: 'a+b@sender.test' }, 'BOUNCE_ADDRESS must be'],
  [{ BOUNCE_MAILBOX_URL: 'imaps://a:b@mail.test' }, 'BOUNCE_ADDRESS is required'],
  [
    { BOUNCE_ADDRESS: 'b@sender.test', BOUNCE_MAILBOX_URL: 'imap://a:b@mail.test' },
    'BOUNCE_MAILBOX_URL must be an imaps',
  ],
])('settings %j are rejected', (env, message) => {
  expect(() => bounceSettings(env, keys)).toThrow(message);
});

test('a return path requires a key', () => {
  expect(() => bounceSettings({ BOUNCE_ADDRESS: 'b@sender.test' }, [])).toThrow('SECRETS_KEY is required');
});
