import { Learner } from '../support/learner.ts';
import { companies } from '../support/world.ts';
import { stopServices } from '../process/support.ts';
import {
  bothCourses,
  enrolledLearner,
  forgetMail,
  hurry,
  invite,
  messageTo,
  remind,
  SENDER,
  startMailing,
  whenDone,
  whenTried,
} from './transport-support.ts';
import { type Mail, MailServer } from './smtp-support.ts';

const server = new MailServer();
beforeAll(() => server.start());
afterEach(async () => {
  server.reset();
  await forgetMail();
});
afterAll(() => server.stop());

/** Returns the only email, and expects it to meet the requirements of every email. */
async function onlyMail(): Promise<Mail> {
  await whenDone();
  expect(server.taken).toHaveLength(1);
  const [mail] = server.taken as [Mail];
  const { raw, parsed } = mail;
  // RFC 5322: lines end in CR LF and are no longer than 998 characters; a header is ASCII.
  expect(raw.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
  expect(Math.max(...raw.split('\r\n').map((line) => line.length))).toBeLessThanOrEqual(998);
  expect(raw.split('\r\n\r\n', 1)[0]).toMatch(/^[\x20-\x7e\r\n]*$/);
  const names = parsed.headers.map(({ key }) => key);
  for (const name of ['from', 'to', 'subject', 'message-id', 'date', 'mime-version', 'content-language']) {
    expect(names.filter((key) => key === name)).toEqual([name]);
  }
  expect(header(mail, 'auto-submitted')).toBe('auto-generated');
  expect(header(mail, 'content-type')).toContain('multipart/alternative');
  expect(parsed.attachments).toEqual([]);
  for (const text of [parsed.subject, parsed.text, parsed.html]) {
    expect(text).not.toMatch(/undefined|null|\bNaN\b|\[object|Invalid|\$\{/);
    expect(text!.length).toBeGreaterThan(10);
  }
  return mail;
}

const header = ({ parsed }: Mail, name: string) => parsed.headers.find(({ key }) => key === name)?.value;

const OWN_LINK = /http:\/\/127\.0\.0\.1:\d+\/learn\/sign-in\/[\w-]{64}/;

/** Returns the visible words of HTML, with single spaces. */
function wordsOf(html: string): string {
  const text = html.replace(/<title>.*?<\/title>/s, '').replace(/<[^>]*>/g, ' ');
  const plain = text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&quot;', '"').replaceAll('&#39;', "'");
  return plain.replaceAll('&amp;', '&').replace(/\s+/g, ' ').trim();
}

describe('with only the required settings', () => {
  beforeAll(() => startMailing(server));
  afterAll(stopServices);

  test('an invite names the sender, the admin and the company, with the setup link in both parts', async () => {
    const { id, email } = await invite({ locale: 'en' });
    const mail = await onlyMail();
    const { parsed } = mail;
    expect(parsed.from).toEqual({ name: 'Security Awareness', address: SENDER });
    expect(parsed.to).toEqual([{ name: 'Dorothy Vaughan', address: email }]);
    expect(parsed.subject).toBe('Your invitation to administer security awareness at The tenant company');
    const [, link, token] = /\n((?:http\S+)\/setup\/(\S+))\n/.exec(parsed.text!)!;
    expect(link).toBe(`${testService.url}/setup/${token}`);
    expect(parsed.html).toContain(`href="${link}"`);
    const rows = await testService.query('select id from admins where setup_token_hash = sha256($1)', [token]);
    expect(rows).toEqual([{ id }]);
    for (const words of [parsed.text!, wordsOf(parsed.html!)]) {
      expect(words).toContain('Hello Dorothy,');
      expect(words).toContain('the security awareness programme of The tenant company.');
      expect(words).toMatch(/The link works once, until \d{1,2} [A-Z][a-z]+ 20\d\d at \d\d:\d\d \(UTC\)\./);
      expect(words).toContain(`ask ${SENDER}.`);
    }
    expect(parsed.replyTo).toBeUndefined();
    expect(header(mail, 'list-unsubscribe')).toBeUndefined();
  });

  test('submitting the form behind the link of an invite makes the admin active', async () => {
    const { id } = await invite();
    const { parsed } = await onlyMail();
    const [link] = /http\S+/.exec(parsed.text!)!;
    const page = await fetch(link);
    expect({ status: page.status, form: (await page.text()).includes('<form method="post">') }).toEqual({
      status: 200,
      form: true,
    });
    const body = new URLSearchParams({ firstName: 'Dorothea', lastName: 'Vaughan' });
    expect((await fetch(link, { method: 'POST', body })).status).toBe(200);
    const [admin] = await testService.query('select status, first_name from admins where id = $1', [id]);
    expect(admin).toEqual({ status: 'active', first_name: 'Dorothea' });
  });

  test('an invite names the time at which its link expires', async () => {
    server.refuse('to', 451);
    const { id } = await invite({ locale: 'en' });
    await whenTried(id);
    await testService.query(`update admins set setup_expires_at = '2031-02-03T04:05:59Z' where id = $1`, [id]);
    server.accept();
    await hurry();
    expect((await onlyMail()).parsed.text).toContain('until 3 February 2031 at 04:05 (UTC).');
  });

  test('an enrolment names its courses, and has a sign-in link and no unsubscribe header', async () => {
    const { id } = await enrolledLearner({ locale: 'en' }, bothCourses);
    const mail = await onlyMail();
    const { parsed } = mail;
    expect(parsed.subject).toBe('New training for you: 2 courses');
    expect(parsed.text).toContain('- The phishing-basics course\n- The strong-passwords course\n');
    expect(parsed.html).toContain('<li>The phishing-basics course</li><li>The strong-passwords course</li>');
    for (const words of [parsed.text!, wordsOf(parsed.html!)]) {
      expect(words).toContain('The tenant company has enrolled you in these security awareness courses:');
    }
    const [, link, token] = /\n((?:http\S+)\/learn\/sign-in\/(\S+))\n/.exec(parsed.text!)!;
    expect(link).toBe(`${testService.url}/learn/sign-in/${token}`);
    expect(parsed.html).toContain(`href="${link}"`);
    expect((await Learner.by(token!)).cookie).toMatch(/^learner=/);
    expect(header(mail, 'list-unsubscribe')).toBeUndefined();
    expect((await messageTo(id)).kind).toBe('course_enrollment');
  });

  test('a course has its name in the language of the email, or else its display name', async () => {
    const named = `update courses set localized_names = $2 where id = $1`;
    await testService.query(named, [bothCourses[0], { de: 'Phishing erkennen' }]);
    try {
      for (const [locale, subject] of [
        ['de-CH', 'Phishing erkennen'],
        ['fr', 'The phishing-basics course'],
        ['en', 'The phishing-basics course'],
      ] as const) {
        const { id } = await enrolledLearner({ locale }, [bothCourses[0]!]);
        expect((await onlyMail()).parsed.subject).toContain(subject);
        server.reset();
        await remind([id]);
        expect((await onlyMail()).parsed.subject).toContain(subject);
        server.reset();
        await forgetMail();
      }
    } finally {
      await testService.query(named, [bothCourses[0], {}]);
    }
  });

  test('a reminder names unfinished courses, and differs from an enrolment', async () => {
    const { id } = await enrolledLearner({ locale: 'en' });
    await whenDone();
    server.reset();
    await remind([id]);
    const mail = await onlyMail();
    expect(mail.parsed.subject).toBe('Reminder: please finish “The phishing-basics course”');
    expect(mail.parsed.text).toContain('that you have not finished yet:\n\n- The phishing-basics course\n');
  });

  test('a company and a course that are named like web addresses create no links', async () => {
    const name = 'Hello http://evil.example/login urgent';
    const renamed = await testService.query('select name from companies where id = $1', [companies.tenant]);
    await testService.query('update companies set name = $2 where id = $1', [companies.tenant, name]);
    const [course] = await testService.query(
      `insert into courses (owner_id, id, type, name, display_name, subject, difficulty, pass_mark, locales)
       values ($1, gen_random_uuid(), 'training', 'hostile', $2, 'Names', 1, 80, '{en}') returning id`,
      [companies.tenant, name],
    );
    await enrolledLearner({ locale: 'en' }, [course!.id as string]);
    const { parsed } = await onlyMail();
    await testService.query('update companies set name = $2 where id = $1', [companies.tenant, renamed[0]!.name]);
    for (const words of [parsed.subject!, parsed.text!, wordsOf(parsed.html!)]) {
      expect(words.replace(OWN_LINK, '')).not.toMatch(/:\/|evil\.|example\//);
      expect(words.replaceAll('\u200b', '')).toContain(name);
    }
    expect(parsed.html!.match(/<a\b[^>]*>/g)).toEqual([expect.stringMatching(OWN_LINK)]);
  });

  test('the Message-ID contains the id of the message, and the date is when the message was created', async () => {
    const { id } = await invite();
    const mail = await onlyMail();
    const message = await messageTo(id);
    expect(mail.parsed.messageId).toBe(`<${message.id}@sender.test>`);
    expect(Date.parse(header(mail, 'date')!)).toBe(Math.floor(Number(message.created_at) / 1000) * 1000);
  });

  test.each([
    ['en', 'en', 'Hello'],
    ['de', 'de', 'Guten Tag'],
    ['de-CH', 'de', 'Guten Tag'],
    ['fr', 'fr', 'Bonjour'],
    ['fr-CA', 'fr', 'Bonjour'],
    ['it', 'en', 'Hello'],
    [undefined, 'en', 'Hello'],
  ])('a learner with the locale %s gets an email in %s', async (locale, language, greeting) => {
    await enrolledLearner({ locale });
    const mail = await onlyMail();
    expect(header(mail, 'content-language')).toBe(language);
    expect(mail.parsed.text).toMatch(new RegExp(`^${greeting} Radia,\\n`));
    expect(mail.parsed.html).toContain(`<html lang="${language}">`);
    if (language !== 'en') expect(mail.parsed.text).not.toMatch(/you|Questions|enrolled/);
  });

  test('the name of the company is escaped in HTML', async () => {
    const rename = (name: string) =>
      testService.query('update companies set name = $2 where id = $1', [companies.tenant, name]);
    await rename('Zürich <& Söhne>');
    await enrolledLearner({ locale: 'en' });
    await whenDone().finally(() => rename('The tenant company'));
    const { parsed } = await onlyMail();
    expect(parsed.text).toContain('Zürich <& Söhne> has enrolled you');
    expect(wordsOf(parsed.html!)).toContain('Zürich <& Söhne> has enrolled you');
    expect(parsed.html).not.toContain('<& Söhne>');
  });
});

describe('with a contact address and a training URL', () => {
  const settings = { MAIL_CONTACT: 'Help <help@tenant.test>', TRAINING_URL: 'https://learn.test/my?a=1&b=2' };
  beforeAll(() => startMailing(server, settings));
  afterAll(stopServices);

  test('a learner gets the training URL, and replies go to the contact', async () => {
    await enrolledLearner({ locale: 'en' });
    const mail = await onlyMail();
    const { parsed } = mail;
    expect(parsed.text).toContain(`Go to my training\n${settings.TRAINING_URL}\n`);
    expect(parsed.html).toContain('href="https://learn.test/my?a=1&amp;b=2"');
    expect(parsed.from!.address).toBe(SENDER);
    expect(parsed.replyTo).toEqual([{ name: '', address: 'help@tenant.test' }]);
    expect(parsed.text).toContain('Ask help@tenant.test.');
  });

  test('an invite links only to the setup', async () => {
    await invite();
    const { parsed } = await onlyMail();
    expect(parsed.text).not.toContain('learn.test');
    expect(parsed.replyTo).toEqual([{ name: '', address: 'help@tenant.test' }]);
  });
});
