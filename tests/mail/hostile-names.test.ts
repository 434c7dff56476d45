import { post } from '../support/client.ts';
import { companies } from '../support/world.ts';
import { stopServices } from '../process/support.ts';
import { keptTexts, unseenTexts } from '../resources/text-cases.ts';
import { enroll, invite, startMailing, whenDone } from './transport-support.ts';
import { type Mail, MailServer } from './smtp-support.ts';

const server = new MailServer();

const names: [string, string][] = [
  ...keptTexts,
  ...unseenTexts.slice(0, 2),
  ['line breaks and headers', 'Ada\r\nBcc: evil@evil.test\r\nSubject: evil\r\n\r\nevil'],
  ['a lone line feed and a header', 'Ada\nBcc: evil@evil.test'],
  ['a lone carriage return and a header', 'Ada\rBcc: evil@evil.test'],
  ['Unicode line breaks', 'Ada\u2028Bcc: evil@evil.test\u2029\u0085\u000b\u000cX: y'],
  ['quotes and backslashes', 'Ada "the \\"First\\"" O\'Neil\\'],
  ['the address of another recipient', 'evil@evil.test>, Eve <evil@evil.test'],
  ['a comma, a semicolon and a colon', 'Lovelace, Ada; Group: evil@evil.test;'],
  ['brackets and comments', '(Ada) [127.0.0.1] <b>'],
  ['an emoji and a comma', '🦊, <evil@evil.test>'],
  ['200 two-byte letters', 'é'.repeat(200)],
  ['a boundary between parts', '----_NmP-Part_1'],
  ['a lone dot, which ends an email', 'Ada\r\n.\r\nQUIT\r\n'],
  ['an entity', '&lt;b&gt; &amp; &#39;'],
  ['an address without a scheme', 'evil.example/login urgent'],
];

const company = 'Evil "Inc"\r\nBcc: evil@evil.test\r\n\r\n<script>alert(1)</script>';
const hidden = '=?utf-8?B?ZXZpbCA8ZXZpbEBldmlsLnRlc3Q+?=';
const HIDDEN = names.push(['an encoded word', hidden]) - 1;
const emailOf = (index: number) => `hostile${index}@tenant.test`;
let admin: { email: string };

/**
 * Creates a learner with each name, and enrols the learner in a course with the same name, for a company with a hostile
 * name. The API rejects some of the names today, but older rows might still contain them.
 */
beforeAll(async () => {
  await testService.query('update companies set name = $2 where id = $1', [companies.tenant, company]);
  const learners = names.map((_, n) => ({ email: emailOf(n), firstName: 'Ada', lastName: 'Lovelace' }));
  expect((await post('/learners/bulk', { learners })).body.data).toMatchObject({ errors: [] });
  for (const [n, [, name]] of names.entries()) {
    const [learner] = await testService.query(
      'update learners set first_name = $2, last_name = $2 where email = $1 returning id',
      [emailOf(n), name],
    );
    const [course] = await testService.query(
      `insert into courses (owner_id, id, type, name, display_name, subject, difficulty, pass_mark, locales)
       values ($1, gen_random_uuid(), 'training', $2, $3, 'Names', 1, 80, '{en}') returning id`,
      [companies.tenant, emailOf(n), name],
    );
    await enroll([learner!.id as string], [course!.id as string]);
  }
  admin = await invite({ firstName: hidden, lastName: '"Eve" <evil@evil.test>', locale: 'en' });
  await server.start();
  await startMailing(server);
  await whenDone();
});
afterAll(async () => {
  stopServices();
  await server.stop();
});

/** Returns a string in one line as a reader sees it, without the characters that keep a name from being a link. */
const oneLine = (text: string) =>
  text
    .replaceAll('\u200b', '')
    .replace(/[\p{Cc}\u2028\u2029\s]+/gu, ' ')
    .trim();

/** Returns what a browser shows of escaped HTML. */
function shown(html: string): string {
  const text = html.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&#39;', "'");
  return text.replaceAll('&amp;', '&');
}

const HEADERS = [
  ...['auto-submitted', 'content-language', 'content-type', 'date', 'from', 'message-id', 'mime-version'],
  'x-auto-response-suppress',
];

/** Returns the only email to an address, and expects the headers of every email, no other header, and both parts. */
function mailTo(email: string): Mail {
  const mails = server.received.filter(({ to }) => to.includes(email));
  expect(mails.map(({ to }) => to)).toEqual([[email]]);
  const [mail] = mails as [Mail];
  const keys = mail.parsed.headers.map(({ key }) => key);
  expect(keys.toSorted()).toEqual([...HEADERS, 'subject', 'to'].toSorted());
  expect(mail.raw.split('\r\n\r\n', 1)[0]).toMatch(/^[\x20-\x7e\r\n]*$/);
  expect(mail.parsed.text).toMatch(/^Hello [^]*\n-- \nYou are receiving this message because /);
  expect(mail.parsed.html).toMatch(/^<!doctype html>[^]*<\/html>\s*$/);
  const tags = mail.parsed.html!.match(/<\/?[a-z]+/g)!;
  expect(tags.filter((tag) => !/^<\/?(html|head|meta|title|body|div|p|ul|li|a)$/.test(tag))).toEqual([]);
  return mail;
}

test('every email went to exactly one recipient', () => {
  const readers = server.received.map(({ to }) => to.join());
  expect(readers.toSorted()).toEqual([...names.map((_, n) => emailOf(n)), admin.email].toSorted());
});

describe.each(names.slice(0, HIDDEN).map(([what, name], index) => ({ what, name, index })))(
  'a name with $what',
  ({ name, index }) => {
    test('appears as the recipient in the header and in both parts', () => {
      const { parsed } = mailTo(emailOf(index));
      expect(parsed.to).toHaveLength(1);
      expect(parsed.to![0]!.address).toBe(emailOf(index));
      expect(oneLine(parsed.to![0]!.name)).toBe(oneLine(`${name} ${name}`));
      expect(oneLine(parsed.text!)).toContain(`Hello ${oneLine(name)}, `);
      expect(oneLine(shown(parsed.html!))).toContain(`<p>Hello ${oneLine(name)},</p>`);
    });

    test('appears as a course in the subject and in both parts', () => {
      const { parsed } = mailTo(emailOf(index));
      expect(parsed.subject).not.toMatch(/[\r\n\u2028\u2029]/);
      expect(oneLine(parsed.subject!)).toBe(`New training for you: “${oneLine(name)}”`);
      expect(oneLine(parsed.text!)).toContain(`- ${oneLine(name)} `);
      expect(oneLine(shown(/<ul><li>(.*)<\/li><\/ul>/s.exec(parsed.html!)![1]!))).toBe(oneLine(name));
    });
  },
);

test('a company with a hostile name is named in one line', () => {
  const { parsed } = mailTo(admin.email);
  expect(oneLine(parsed.subject!)).toBe(`Your invitation to administer security awareness at ${oneLine(company)}`);
  expect(oneLine(parsed.text!)).toContain(`the security awareness programme of ${oneLine(company)}.`);
});

test('text that looks like an encoded word arrives unchanged', () => {
  for (const { parsed } of [mailTo(emailOf(HIDDEN)), mailTo(admin.email)]) {
    expect(parsed.to![0]!.name).not.toContain('evil <');
    expect(parsed.to![0]!.name).toContain('B?ZXZpbCA8ZXZpbEBldmlsLnRlc3Q+');
  }
  expect(mailTo(emailOf(HIDDEN)).parsed.subject).toContain('B?ZXZpbCA8ZXZpbEBldmlsLnRlc3Q+');
});
