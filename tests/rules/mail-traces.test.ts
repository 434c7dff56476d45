import { createTransport, type SendMailOptions } from 'nodemailer';
import { findTraces } from '../../src/resources/simulations/events/reported-mail/find-traces.ts';
import {
  type MessageTraces,
  readMailTraces,
} from '../../src/resources/simulations/events/reported-mail/mail-traces.ts';

const token = `${'Ab_-'.repeat(15)}9z-_`;
const link = `https://parcels.example/s/${token}`;
const email: SendMailOptions = {
  from: 'Parcel notice <notice@parcels.example>',
  to: 'Ada@Tenant.test',
  subject: 'Ihr Paket wartet',
  text: `Öffnen Sie ${link}`,
  html: `<p>Öffnen Sie <a href="${link}">dies</a>${'…'.repeat(200)}</p>`,
  messageId: '<0192a3b4@parcels.example>',
};
const forward = {
  from: 'Ada <ADA@tenant.test>',
  to: 'reports@tenant.test',
  subject: 'Fwd',
  messageId: '<own@tenant.test>',
};

async function raw(mail: SendMailOptions): Promise<Buffer> {
  const { message } = await createTransport({ streamTransport: true, buffer: true }).sendMail(mail);
  return message as Buffer;
}

/** Reads the identifiers of every message in an email. */
async function readIdentifiers(source: Buffer) {
  const flatten = (messages: readonly MessageTraces[]): MessageTraces[] =>
    messages.flatMap((message) => [message, ...flatten(message.quoted)]);
  const { messageId, senders, messages, isComplete } = await readMailTraces(source);
  const all = flatten(messages);
  const messageIds = [...new Set(all.flatMap((message) => message.messageIds))];
  const tokens = [...new Set(all.flatMap((message) => message.tokens))];
  return { messageId, senders, messageIds, tokens, isComplete };
}

const whole = await raw(email);
const attached = (fields: object = {}) => ({
  ...forward,
  text: 'Is this real?',
  attachments: [{ content: whole, contentType: 'message/rfc822', ...fields }],
});

test('an email forwarded as an attachment yields its Message-ID and the token of its links', async () => {
  expect(await readIdentifiers(await raw(attached()))).toEqual({
    messageId: 'own@tenant.test',
    senders: ['ada@tenant.test'],
    messageIds: ['own@tenant.test', '0192a3b4@parcels.example'],
    tokens: [token],
    isComplete: true,
  });
});

test.each<[string, SendMailOptions]>([
  ['as an attachment in base64', attached({ contentTransferEncoding: 'base64' })],
  [
    'within an attachment',
    { ...forward, attachments: [{ content: await raw(attached()), contentType: 'message/rfc822' }] },
  ],
  ['as text', { ...forward, text: `> ${email.text as string}` }],
  ['as text in base64', { ...forward, text: `> ${email.text as string}`, textEncoding: 'base64' }],
  ['as HTML in quoted-printable', { ...forward, html: email.html, textEncoding: 'quoted-printable' }],
  [
    'by a gateway that rewrites links',
    { ...forward, html: `<a href="https://safe.test/?u=${encodeURIComponent(link)}&d=1">` },
  ],
  [
    'by two such gateways',
    { ...forward, text: `https://a.test/?${encodeURIComponent(`https://b.test/?${encodeURIComponent(link)}`)}` },
  ],
  ['with only the image', { ...forward, html: `<img src="${link}/picture.gif">` }],
])('an email forwarded %s yields the token', async (_how, mail) => {
  expect((await readIdentifiers(await raw(mail))).tokens).toEqual([token]);
});

test('In-Reply-To and References yield Message-IDs, and Resent-From a sender', async () => {
  const answered = await readIdentifiers(
    await raw({ ...forward, text: 'x', inReplyTo: email.messageId, references: '<a@b> <c@d>' }),
  );
  expect(answered.messageIds).toEqual(['own@tenant.test', '0192a3b4@parcels.example', 'a@b', 'c@d']);
  const sentOn = await readIdentifiers(Buffer.concat([Buffer.from('Resent-From: ada@tenant.test\r\n'), whole]));
  expect(sentOn).toMatchObject({ senders: ['ada@tenant.test', 'notice@parcels.example'], tokens: [token] });
});

test('a truncated email yields the token before the cut', async () => {
  const mail = await raw({
    ...forward,
    text: link,
    attachments: [{ filename: 'photo.jpg', content: Buffer.alloc(50_000) }],
  });
  expect((await readIdentifiers(mail.subarray(0, 20_000))).tokens).toEqual([token]);
});

test.each(['', 'hello', '\0\0\0', 'From: <<<\r\n\r\n', 'Content-Type: multipart/mixed\r\n\r\n--\r\n'])(
  'text that is not an email yields no traces: %j',
  async (text) => {
    expect(await readIdentifiers(Buffer.from(text))).toMatchObject({ messageIds: [], tokens: [] });
  },
);

const plain = (text: string) => `Content-Type: text/plain\r\n\r\n${text}`;
const html = (text: string) => `Content-Type: text/html\r\n\r\n${text}`;

test.each<[string, string]>([
  ['spaces', plain(' '.repeat(1_900_000))],
  ['lines that look like headers', plain('From:\n'.repeat(30_000))],
  ['forwards', plain('From: a@b.test\nSubject: x\n\n'.repeat(8000))],
  ['addresses', plain('https://a.test/?u=https%253A%252F%252Fb.test\n'.repeat(30_000))],
  ['one long address', plain(`https://a.test/${'%25'.repeat(500_000)}`)],
  ['entities', html('&#x2F;'.repeat(250_000))],
  ['tags', html('<a href=x>'.repeat(150_000))],
  ['brackets', html('<'.repeat(1_500_000))],
  ['a header of 1 MB', `Subject: ${'x'.repeat(1_000_000)}\r\n\r\n${link}`],
  ['1 MB of headers', `${'X-Spam: y\r\n'.repeat(90_000)}\r\n${link}`],
  ['1 MB of recipients', `To: ${'a@b.test, '.repeat(100_000)}\r\n\r\n${link}`],
])('an email with many %s is read within the limit', async (_what, text) => {
  expect(await findTraces(Buffer.from(text))).toMatchObject({ isComplete: true });
});

test('a hostile email neither blocks the process nor takes much memory', async () => {
  const part = 'Content-Type: text/html\r\n\r\n';
  const hostile = [
    `Content-Type: multipart/mixed; boundary=x\r\n${'\r\n--x'.repeat(200_000)}`,
    `Content-Type: multipart/mixed; boundary=x\r\n\r\n--x\r\n\r\na\r\n--x\r\n${part}${'<a href="'.repeat(220_000)}\r\n--x--`,
  ];
  let [last, longestMs] = [performance.now(), 0];
  const ticking = setInterval(() => {
    longestMs = Math.max(longestMs, performance.now() - last);
    last = performance.now();
  }, 10);
  const found = await Promise.all(hostile.map((text) => findTraces(Buffer.from(text), 1000)));
  clearInterval(ticking);
  expect(found).toEqual([undefined, undefined]);
  expect(longestMs).toBeLessThan(1000);
});
