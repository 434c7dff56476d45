import { createTransport } from 'nodemailer';
import PostalMime from 'postal-mime';
import { hashSetupToken } from '../../src/identity/setup-token.ts';
import { LANGUAGES, type Language } from '../../src/contract/languages.ts';
import { compose, type MailSettings } from '../../src/mail/messages/compose.ts';
import { wordings } from '../../src/mail/wording/wordings.ts';
import type { MessageRow } from '../../src/mail/messages/message-repository.ts';

const settings: MailSettings = {
  from: { name: 'Security Awareness', address: 'awareness@sender.test' },
  contact: 'awareness@sender.test',
  trainingUrl: 'https://learn.test/my',
  publicUrl: 'https://awareness.test',
};
const toLearners = [
  ...(['course_enrollment', 'course_reminder'] as const),
  ...(['policy_request', 'policy_reminder', 'policy_receipt'] as const),
  ...(['signature_voided', 'signature_restored', 'assignments_due'] as const),
] as const;
const notices = ['api_key_expiring', 'api_key_leaked', 'webhook_failing', 'webhook_disabled'] as const;
const toAdmins = ['admin_invite', ...notices] as const;
const kinds = [...toAdmins, ...toLearners, 'sign_in', 'assignments_overdue'] as const;
/** Kinds without a link. */
const linkless = [...notices, 'assignments_overdue'] as const;
const message = (fields: Partial<MessageRow> = {}): MessageRow => ({
  id: '0192a3b4-0000-7000-8000-000000000001',
  kind: 'course_enrollment',
  createdAt: '2026-03-01T08:30:00.000Z',
  companyName: 'Acme',
  ...{ brandColor: null, brandReplyTo: null, brandLogo: null, brandLogoFacts: null },
  email: 'ada@tenant.test',
  firstName: 'Ada',
  name: 'Ada Lovelace',
  locale: 'en',
  inactive: false,
  learnerId: '0192a3b4-0000-7000-8000-300000000001',
  isUndeliverable: false,
  timeZone: 'UTC',
  absentUntil: null,
  isToFormerAddress: false,
  setupToken: 'secret',
  setupTokenHash: hashSetupToken('secret'),
  setupExpiresAt: '2026-03-08T08:30:00.000Z',
  subjectIds: ['0192a3b4-0000-7000-8000-400000000001'],
  subjectNames: ['Phishing'],
  ...fields,
});

/** Returns the subject and those lines of the text that contain letters. */
function wordsOf(fields: Partial<MessageRow>, given = settings): string[] {
  const { subject, text } = compose(message(fields), given);
  return [subject!, ...(text as string).split('\n')].filter((line) => /\p{L}/u.test(line));
}

describe.each(LANGUAGES)('as an email in %s', (locale) => {
  const transport = createTransport({ streamTransport: true, buffer: true, newline: 'windows' });
  const brandLogo = Buffer.alloc(50_000, 'picture');
  const brandLogoFacts = { mediaType: 'image/png', width: 100, height: 40 };
  const long = {
    companyName: 'Ωmega '.repeat(33).trim(),
    firstName: 'Zoë',
    name: 'Zoë Müller-Łukasz '.repeat(11).trim(),
  };
  const subjectNames = Array.from({ length: 40 }, (_item, index) => `Verschlüsselung–${index} `.repeat(10));

  test.each(kinds)('%s keeps to the line lengths of RFC 5322, and arrives unchanged', async (kind) => {
    const given = message({ kind, locale, ...long, subjectNames, brandLogo, brandLogoFacts });
    const composed = compose(given, settings);
    const sent = (await transport.sendMail(composed)).message as Buffer;
    const raw = sent.toString('latin1');
    expect(raw.split('\r\n').filter((line) => line.length > 998 || /[\r\n\0\x80-\xff]/.test(line))).toEqual([]);
    const parsed = await PostalMime.parse(sent);
    expect(parsed.subject).toBe(composed.subject);
    expect(parsed.to).toEqual([{ name: given.name, address: given.email }]);
    expect(parsed.text!.replaceAll('\r\n', '\n').trim()).toBe((composed.text as string).trim());
    expect(parsed.attachments.map(({ disposition }) => disposition)).toEqual(['inline']);
    const inside = new Set(parsed.headers.map(({ key }) => key));
    expect(REQUIRED.filter((name) => !inside.has(name))).toEqual([]);
  });
});

/** Header fields that receivers expect in every automated email. */
const REQUIRED = [
  ...['from', 'to', 'subject', 'date', 'message-id', 'mime-version', 'content-type', 'content-language'],
  ...['auto-submitted', 'x-auto-response-suppress'],
];

/** Words that only English sentences have. */
const ENGLISH = /\b(you|your|the|this|has|have|please|until|ask|because|enrolled|finish|works)\b/i;
const many = { subjectNames: ['Phishing', 'Passwords'] };

describe.each(LANGUAGES)('in %s', (locale) => {
  const cases = kinds.flatMap((kind) => [{ kind }, { kind, ...many }]);

  test.each(cases)('%j is complete', (fields) => {
    const { subject, text, html } = compose(message({ locale, ...fields }), settings);
    for (const part of [subject, text, html]) {
      expect(part).toMatch(/\p{L}{3}/u);
      expect(part).not.toMatch(/undefined|null|NaN|\[object|Invalid Date|\$\{|%s/);
    }
    expect(text).toContain('Ada');
    expect(text).toContain('Acme');
    expect(text).toContain('awareness@sender.test');
    if (!linkless.some((kind) => kind === fields.kind)) expect(text).toMatch(/\nhttps:\/\/\S+\n/);
  });

  test('a subject is short, names a single course, and counts several', () => {
    for (const kind of kinds) expect(compose(message({ locale, kind }), settings).subject!.length).toBeLessThan(90);
    for (const kind of toLearners) {
      expect(compose(message({ locale, kind }), settings).subject).toContain('Phishing');
      expect(compose(message({ locale, kind, ...many }), settings).subject).toMatch(/\b2\b/);
    }
  });

  test('each kind has distinct texts for one item and for several', () => {
    const without = (words: string[]) => words.join('\n').replace(/Phishing|Passwords|- /g, '');
    const texts = toLearners.flatMap((kind) => [{}, many].map((names) => without(wordsOf({ locale, kind, ...names }))));
    expect(new Set(texts).size).toBe(2 * toLearners.length);
  });

  test('a receipt names the version, the signing time and the hash of the file', () => {
    const receipts = [{ version: '2.1', signed: '2026-03-08T08:30:00.000Z', sha256: 'a1b2'.repeat(16) }];
    const text = compose(message({ locale, kind: 'policy_receipt', receipts }), settings).text as string;
    for (const part of ['Phishing', '2.1', '2026', '08:30', 'a1b2'.repeat(16)]) expect(text).toContain(part);
  });

  test('a message about a voided signature names its policy, version and time, and says whether to sign again', () => {
    const signature = { policyName: 'Phishing', version: '2.1', signed: '2026-03-08T08:30:00.000Z' };
    const [toSign, isDone] = [true, false].map((isToSign) => {
      const voidedSignatures = [{ ...signature, isToSign }];
      return compose(message({ locale, kind: 'signature_voided', voidedSignatures }), settings).text as string;
    });
    for (const part of ['Phishing', '2.1', '2026', '08:30']) expect(toSign).toContain(part);
    expect(toSign).not.toBe(isDone);
  });

  test('without a training URL the link signs in, and the text calls it personal', () => {
    const bare = { ...settings, trainingUrl: undefined };
    const { text, html } = compose(message({ locale }), bare);
    for (const part of [text as string, html as string]) {
      expect(part.match(/https?:[^\s"<]+/)![0]).toBe('https://awareness.test/learn/sign-in/secret');
      expect(part).toContain(wordings[locale].personalLink);
    }
  });
});

test.each(['de', 'fr'] as const)('no English text is left in %s', (locale) => {
  const english = new Set(kinds.flatMap((kind) => wordsOf({ kind }).concat(wordsOf({ kind, ...many }))));
  for (const kind of kinds) {
    for (const words of [...wordsOf({ locale, kind }), ...wordsOf({ locale, kind, ...many })]) {
      if (/^(- |https:)/.test(words)) continue;
      expect(english).not.toContain(words);
      expect(words.replaceAll('Security Awareness', '')).not.toMatch(ENGLISH);
    }
  }
});

test('the pattern for English words matches every English message', () => {
  for (const kind of kinds) expect(wordsOf({ kind }).filter((words) => ENGLISH.test(words)).length).toBeGreaterThan(2);
});

test.each<[Language, string]>([
  ['en', 'until 8 March 2026 at 08:30 (UTC)'],
  ['de', 'bis zum 8. März 2026 um 08:30 Uhr (UTC)'],
  ['fr', 'jusqu’au 8 mars 2026 à 08:30 (UTC)'],
])('in %s a link expires %s, in any time zone of the process', (locale, end) => {
  const text = compose(message({ kind: 'admin_invite', locale }), settings).text as string;
  expect(text.replace(/[\u00a0\u202f]/g, ' ')).toContain(end);
});

test('composing the same message twice gives the same email', () => {
  for (const kind of kinds) {
    expect(compose(message({ kind }), settings)).toEqual(compose(message({ kind }), settings));
  }
});

test('the message id uses the domain of the sender, and the date is the creation time', () => {
  const from = { name: '', address: 'a.b+c@sub.sender.test' };
  expect(compose(message(), { ...settings, from })).toMatchObject({
    messageId: '<0192a3b4-0000-7000-8000-000000000001@sub.sender.test>',
    date: new Date('2026-03-01T08:30:00.000Z'),
  });
});

test('replies go to the sender unless another contact is configured', () => {
  expect(compose(message(), settings)).not.toHaveProperty('replyTo');
  const { replyTo, text } = compose(message(), { ...settings, contact: 'help@tenant.test' });
  expect(replyTo).toBe('help@tenant.test');
  expect(text).toContain('help@tenant.test');
  expect(text).not.toContain('awareness@sender.test');
});

test('no email has List-Unsubscribe, because nobody can unsubscribe from training that their company assigns', () => {
  for (const kind of kinds) expect(compose(message({ kind }), settings).headers).not.toHaveProperty('List-Unsubscribe');
});

test.each([
  ['a line break', 'Ada\r\nBcc: Eve', 'Ada Bcc: Eve'],
  ['a null character', 'A\0da', 'A da'],
  ['a line separator', 'A\u2028da', 'A da'],
  ['a next-line character', 'A\u0085da', 'A da'],
  ['surrounding white space', ' Ada\t', 'Ada'],
])('%s in a name is not in a header', (_case, firstName, shown) => {
  const { to, subject } = compose(message({ firstName, name: firstName, subjectNames: [firstName] }), settings);
  expect(to).toEqual({ name: shown, address: 'ada@tenant.test' });
  expect(subject).toMatch(/^[^\p{Cc}\u2028\u2029]+$/u);
  expect(subject).toContain(shown);
});

describe('a name that mail programs would turn into a link', () => {
  /** Patterns that mail programs turn into links: a scheme, a host by its first or last label, an address. */
  const LINKS = [/\p{L}+:(\/\/|\p{L})/iu, /www\.\S/iu, /[\p{L}\p{N}]\.[\p{L}\p{N}]/u, /\S@\p{L}/u, /\w\/\w/];

  test.each([
    'http://evil.example/login urgent',
    'www.evil.example',
    'evil.example/login',
    'eve@evil.example',
    'mailto:eve@evil.example',
    '10.0.0.1:8080/x',
    'http:\\\\evil.example',
    'evil.example.',
    'evil。example',
    'evil．example／login',
    'eve＠evil․example',
  ])('%j is plain text', (name) => {
    const hostile = { firstName: name, name, companyName: name, subjectNames: [name] };
    for (const kind of kinds) {
      const mail = compose(message({ ...hostile, kind }), settings);
      const shown = [mail.subject!, (mail.to as { name: string }).name, mail.text as string, mail.html as string];
      const ours = /https:\/\/(awareness|learn)\.test\/[\w/-]+|awareness@sender\.test|style="[^"]*"|<[^>]*>/g;
      for (const text of shown.map((part) => part.replace(ours, ''))) {
        const folded = text.normalize('NFKC').replaceAll('。', '.');
        for (const link of LINKS) expect(folded).not.toMatch(link);
        expect(text.replaceAll('\u200b', '')).toContain(name);
      }
    }
  });

  test.each(["O'Leary & Sons Ltd.", 'Ada Lovelace, B. Sc.', 'Zoë 🦊', 'Jean-Luc', 'a - b / c: d'])(
    '%j is sent unchanged',
    (name) => expect(compose(message({ companyName: name }), settings).text).toContain(name),
  );

  test.each(["O'Leary & Sons Ltd. (U.K.)", 'J:son', 's/o Kumar'])('%j reads unchanged', (name) => {
    const { text } = compose(message({ companyName: name }), settings);
    expect((text as string).replaceAll('\u200b', '')).toContain(name);
  });

  test('own links and addresses stay links', () => {
    for (const part of ['text', 'html'] as const) {
      const written = compose(message({ kind: 'admin_invite' }), settings)[part];
      expect(written).toContain('https://awareness.test/setup/secret');
      expect(written).toContain('awareness@sender.test');
      expect(compose(message(), settings)[part]).toContain('https://learn.test/my');
    }
  });
});

test('an email fetches nothing from files or URLs', () => {
  expect(compose(message(), settings)).toMatchObject({ disableFileAccess: true, disableUrlAccess: true });
});

test('an email has the name, the colour, the logo and the reply address of its company', async () => {
  const logo = Buffer.from('picture '.repeat(100));
  const brandLogoFacts = { mediaType: 'image/png', width: 400, height: 60 };
  const look = { brandColor: '#8b0000', brandReplyTo: 'security@tenant.test', brandLogo: logo, brandLogoFacts };
  const mail = compose(message(look), settings);
  expect(mail.replyTo).toBe('security@tenant.test');
  expect(mail.text).toContain('security@tenant.test');
  expect(mail.html).toContain('color:#ffffff');
  expect(mail.html).toContain('background:#8b0000');
  expect(mail.html).toContain('<img src="cid:logo@sender.test" width="200" height="30" alt="">');
  const { message: source } = await createTransport({ streamTransport: true, buffer: true }).sendMail(mail);
  const { attachments } = await PostalMime.parse(source as Buffer);
  expect(attachments).toEqual([
    expect.objectContaining({ contentId: '<logo@sender.test>', mimeType: 'image/png', filename: 'logo.png' }),
  ]);
  expect(attachments[0]).toMatchObject({ disposition: 'inline', related: true });
  expect(Buffer.from(attachments[0]!.content as ArrayBuffer)).toEqual(logo);
  const plain = compose(message(), settings);
  expect(plain).not.toHaveProperty('attachments');
  expect(plain.html).not.toContain('<img');
});
