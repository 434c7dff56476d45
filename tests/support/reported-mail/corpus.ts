import { zipSync } from 'fflate';
import { createTransport, type SendMailOptions } from 'nodemailer';
import type { ForwardReason } from '../../../src/resources/simulations/events/reported-mail/judge-report.ts';
import { NAMES, PROGRAMS, type Quotable } from './inline-forwards.ts';
import { type OutlookFields, outlookMessage, tnef } from './outlook-files.ts';
import { mimecast, REWRITERS } from './rewriters.ts';

// The forms in which people report an email, built from one simulation message and one real attack.

/** Mail that somebody reports. */
export interface Original {
  from: string;
  to: string;
  subject: string;
  messageId: string;
  link: string;
  headerSecret?: string;
}

export interface Form {
  name: string;
  source: Buffer;
  /** Whether the report of the simulation counts. */
  isRecorded: boolean;
  /** The reason why the email is forwarded; undefined if it is not. */
  reason: ForwardReason | undefined;
}

const REPORTER = { from: 'Ada Lovelace <learner1@tenant.test>', to: 'reports@tenant.test', subject: 'Fwd: look' };

export async function raw(mail: SendMailOptions): Promise<Buffer> {
  const transport = createTransport({ streamTransport: true, buffer: true });
  return (await transport.sendMail({ ...mail, disableUrlAccess: true })).message as Buffer;
}

export const report = (fields: SendMailOptions): Promise<Buffer> => raw({ ...REPORTER, ...fields });

const bodyOf = ({ from, to, subject, link }: Original): Quotable => ({
  ...{ from, to, subject },
  text: `Guten Tag,\n\nöffnen Sie ${link} noch heute.\n\nIhr Päckchen`,
  html: `<p>Guten Tag,</p><p>öffnen Sie <a href="${link.replaceAll('&', '&amp;')}">Ihr Päckchen</a></p>`,
});

const mailOf = (original: Original, fields: SendMailOptions = {}): SendMailOptions => {
  const { text, html, ...headers } = bodyOf(original);
  const secret = original.headerSecret;
  return {
    ...{ ...headers, text, html, messageId: original.messageId, ...fields },
    ...(secret !== undefined && { headers: { 'X-Awareness-Simulation': secret } }),
  };
};

const outlookFields = (original: Original, fields: Partial<OutlookFields>): OutlookFields => ({
  subject: original.subject,
  sender: /<(.+)>/.exec(original.from)![1]!,
  ...fields,
});

type Container = (original: Original) => Promise<SendMailOptions>;

const attached = (contentType: string, filename: string, fields: object = {}): Container => {
  return async (original) => ({
    text: 'Is this real?',
    attachments: [{ content: await raw(mailOf(original)), contentType, filename, ...fields }],
  });
};
const file = (contentType: string, filename: string, build: (original: Original) => Buffer | Promise<Buffer>) => {
  return async (original: Original): Promise<SendMailOptions> => ({
    text: 'Is this real?',
    attachments: [{ content: await build(original), contentType, filename }],
  });
};

/** Containers that keep the whole message. */
export const CONTAINERS: Record<string, Container> = {
  'attached in 8bit': attached('message/rfc822', 'a.eml'),
  'attached in base64': attached('message/rfc822', 'a.eml', { contentTransferEncoding: 'base64' }),
  'attached without a name': attached('message/rfc822', '', { filename: false }),
  'attached inline': attached('message/rfc822', 'a.eml', { contentDisposition: 'inline' }),
  'an .eml file as octet-stream': attached('application/octet-stream', 'message.eml'),
  'a file of another name as octet-stream': attached('application/octet-stream', 'suspicious.dat'),
  'an .eml file as application/eml': attached('application/eml', 'message'),
  'an .eml file as text/plain': attached('text/plain', 'message.eml'),
  'message/global': attached('message/global', 'message.u8msg'),
  'an .mht file': attached('application/x-mimearchive', 'message.mht'),
  'an .emlx file': file('application/octet-stream', 'a.emlx', async (original) => {
    const mail = await raw(mailOf(original));
    return Buffer.concat([Buffer.from(`${mail.length}\n`), mail, Buffer.from('<?xml version="1.0"?><plist/>')]);
  }),
  'an mbox file': file('application/mbox', 'saved', async (original) =>
    Buffer.concat([Buffer.from('From - Tue Nov 24 08:00:00 2026\r\n'), await raw(mailOf(original))]),
  ),
  'in the mail of a colleague': async (original) => ({
    text: 'See below',
    attachments: [
      {
        contentType: 'message/rfc822',
        content: await raw({
          ...{ from: 'Grace <learner2@tenant.test>', subject: 'Odd', text: 'Look' },
          attachments: [{ content: await raw(mailOf(original)), contentType: 'message/rfc822' }],
        }),
      },
    ],
  }),
  'a .zip file': file('application/zip', 'mail.zip', async (original) =>
    Buffer.from(zipSync({ 'folder/mail.eml': await raw(mailOf(original)), 'readme.txt': Buffer.from('x') })),
  ),
  'an Outlook message': file('application/vnd.ms-outlook', 'mail.msg', (original) =>
    outlookMessage(outlookFields(original, { html: bodyOf(original).html, messageId: original.messageId })),
  ),
  'an Outlook message as octet-stream': file('application/octet-stream', 'mail.msg', (original) =>
    outlookMessage(outlookFields(original, { body: bodyOf(original).text })),
  ),
  'an Outlook message with headers only': file('application/vnd.ms-outlook', 'mail.msg', (original) =>
    outlookMessage(outlookFields(original, { headers: `Subject: x\r\nMessage-ID: ${original.messageId}\r\n` })),
  ),
  'an Outlook item within an Outlook message': file('application/vnd.ms-outlook', 'mail.msg', (original) =>
    outlookMessage(
      { subject: 'Odd', sender: 'learner1@tenant.test', body: 'Look' },
      outlookFields(original, { body: bodyOf(original).text, messageId: original.messageId }),
    ),
  ),
  'an Outlook message in a .zip file': file('application/zip', 'mail.zip', (original) =>
    Buffer.from(zipSync({ 'mail.msg': outlookMessage(outlookFields(original, { messageId: original.messageId })) })),
  ),
  'winmail.dat': file('application/ms-tnef', 'winmail.dat', (original) =>
    tnef(outlookFields(original, { body: `FW: ${bodyOf(original).text}`, html: bodyOf(original).html })),
  ),
  'an Outlook item in winmail.dat': file('application/ms-tnef', 'winmail.dat', (original) =>
    tnef(
      { subject: '', sender: '', body: 'Look' },
      outlookFields(original, { html: bodyOf(original).html, messageId: original.messageId }),
    ),
  ),
};

/** Reports of feedback loops and of gateways (RFC 5965), with the whole message or only its headers. */
export function feedbackReport(original: Original, part: string, content: string): Buffer {
  const feedback = 'Feedback-Type: abuse\r\nUser-Agent: button/1\r\nVersion: 1\r\n';
  const parts = [
    'Content-Type: text/plain\r\n\r\nThis is a report of a mail.',
    `Content-Type: message/feedback-report\r\n\r\n${feedback}`,
    `Content-Type: ${part}\r\n\r\n${content}`,
  ];
  const type = 'multipart/report; report-type=feedback-report; boundary=b';
  const head = `From: ${REPORTER.from}\r\nTo: ${REPORTER.to}\r\nSubject: FW: ${original.subject}\r\nContent-Type: ${type}\r\n`;
  return Buffer.from(`${head}\r\n${parts.map((text) => `--b\r\n${text}\r\n`).join('')}--b--\r\n`);
}

const own = (name: string, source: Buffer): Form => ({ name, source, isRecorded: true, reason: undefined });

const CHARSETS: [string, BufferEncoding | 'utf16be', 'quoted-printable' | 'base64'][] = [
  ['iso-8859-1', 'latin1', 'quoted-printable'],
  ['windows-1252', 'latin1', 'base64'],
  ['utf-8', 'utf8', 'quoted-printable'],
  ['utf-8', 'utf8', 'base64'],
  ['utf-16le', 'utf16le', 'base64'],
];

function inCharset(text: string, [charset, encoding, transfer]: (typeof CHARSETS)[number]): Buffer {
  const bytes = Buffer.from(text, encoding as BufferEncoding);
  const lines = bytes.toString('base64').match(/.{1,76}/g)!;
  const printable = bytes.toString('latin1').replace(/[^\x20-\x3c\x3e-\x7e\n]/g, (char) => {
    return `=${char.charCodeAt(0).toString(16).toUpperCase().padStart(2, '0')}`;
  });
  const wrapped = printable
    .split('\n')
    .flatMap((line) => (line.match(/(?:=[0-9A-F]{2}|.){1,70}/g) ?? ['']).join('=\r\n'));
  const body = transfer === 'base64' ? lines.join('\r\n') : wrapped.join('\r\n');
  const type = `Content-Type: text/plain; charset=${charset}\r\nContent-Transfer-Encoding: ${transfer}`;
  return Buffer.from(`From: ${REPORTER.from}\r\nSubject: WG: x\r\nMIME-Version: 1.0\r\n${type}\r\n\r\n${body}\r\n`);
}

/** Forms in which the simulation is recognised, and nothing is forwarded. */
export async function recognisedForms(simulation: Original): Promise<Form[]> {
  const forms: Form[] = [];
  const noId = { ...simulation, messageId: '<rewritten@gateway.test>' };
  for (const [scanner, rewrite] of Object.entries(REWRITERS)) {
    const rewritten = { ...noId, link: rewrite(simulation.link) };
    const { text, html } = PROGRAMS.Outlook!(bodyOf(rewritten), NAMES.German!);
    forms.push(own(`HTML, ${scanner}`, await report({ html, textEncoding: 'base64' })));
    forms.push(own(`text, ${scanner}`, await report({ text, textEncoding: 'quoted-printable' })));
    forms.push(own(`attached, ${scanner}`, await report(await CONTAINERS['attached in base64']!(rewritten))));
  }
  for (const [name, contain] of Object.entries(CONTAINERS)) {
    forms.push(own(name, await report(await contain(simulation))));
    const lost = { ...simulation, link: mimecast('parcels.example') };
    const hasId = !/octet-stream$|^winmail/.test(name) || name.includes('file');
    if (hasId) forms.push(own(`${name}, with only the Message-ID`, await report(await contain(lost))));
  }
  for (const [language, names] of Object.entries(NAMES)) {
    for (const [program, quote] of Object.entries(PROGRAMS)) {
      const { text, html } = quote(bodyOf(noId), names);
      forms.push(own(`${program} in ${language}, text`, await report({ text })));
      forms.push(own(`${program} in ${language}, HTML`, await report({ html })));
      forms.push(own(`${program} in ${language}, both`, await report({ text, html })));
    }
  }
  const quoted = PROGRAMS.Outlook!(bodyOf(noId), NAMES.English!).text;
  for (const charset of CHARSETS) {
    forms.push(
      own(`${charset[0]} in ${charset[2]}`, inCharset(PROGRAMS.Gmail!(bodyOf(noId), NAMES.German!).text, charset)),
    );
  }
  const whole = (await raw(mailOf(simulation))).toString();
  const headers = `Subject: x\r\nMessage-ID: ${simulation.messageId}\r\n`;
  const half = simulation.link.length - 20;
  const wrap = (mark: string) =>
    quoted.replace(simulation.link, `${simulation.link.slice(0, half)}${mark}${simulation.link.slice(half)}`);
  return [
    ...forms,
    own('a report with the message', feedbackReport(simulation, 'message/rfc822', whole)),
    own('a report with the headers', feedbackReport(simulation, 'text/rfc822-headers', headers)),
    own('a link wrapped by the program', await report({ text: wrap('\n') })),
    own('a link wrapped in a quotation', await report({ text: wrap('\n> ') })),
    own('a link wrapped twice encoded', await report({ text: wrap('=\n') })),
    own('slashes as entities', await report({ html: `<a href="${simulation.link.replaceAll('/', '&#x2F;')}">x</a>` })),
    own('an invisible character', await report({ text: wrap('\u200b') })),
    own('only the picture', await report({ html: `<img src="${simulation.link}/picture.gif">` })),
    own('a reply', await report({ text: 'What is this?', inReplyTo: simulation.messageId })),
    own(
      'a PDF with the link',
      await report({
        text: 'x',
        attachments: [{ content: Buffer.from(`%PDF-1.7\n/URI (${simulation.link})`), filename: 'a.pdf' }],
      }),
    ),
    own('resent unchanged', Buffer.from(`Resent-From: learner1@tenant.test\r\n${whole}`)),
    own(
      'attached and quoted',
      await report({
        ...(await CONTAINERS['attached in base64']!(simulation)),
        text: PROGRAMS.Gmail!(bodyOf({ ...simulation, link: mimecast('x.test') }), NAMES.French!).text,
      }),
    ),
  ];
}
