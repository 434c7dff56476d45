import { classifyBounce, classifyRefusal } from '../../src/mail/bounces/bounce-rules.ts';
import { readBounceMail } from '../../src/mail/bounces/read-bounce.ts';

test.each([
  ['5.1.1', '', 'hard', 'mailbox_unknown'],
  ['5.1.2', '', 'hard', 'domain_unknown'],
  [
    '5.1.10',
    '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient not found by SMTP address lookup',
    'hard',
    'mailbox_unknown',
  ],
  ['5.2.1', '', 'hard', 'mailbox_disabled'],
  ['5.2.2', '', 'soft', 'mailbox_full'],
  ['4.2.2', '', 'soft', 'mailbox_full'],
  ['4.4.7', '', 'soft', 'unreachable'],
  ['5.7.1', '550 5.7.1 Message rejected as spam by Content Filtering.', 'blocked', 'blocked'],
  ['5.7.1', '', 'blocked', 'blocked'],
  ['5.7.1', '550 5.7.1 <nobody@tenant.test>: Recipient address rejected: user unknown', 'hard', 'mailbox_unknown'],
  ['5.4.1', '550 5.4.1 Recipient address rejected: Access denied.', 'hard', 'mailbox_unknown'],
  ['5.3.4', '552 5.3.4 Message size exceeds fixed limit', 'blocked', 'other'],
  ['5.0.0', '550 5.1.1 <nobody@tenant.test> User unknown', 'hard', 'mailbox_unknown'],
  ['5.0.0', '550 No such user here', 'hard', 'mailbox_unknown'],
  ['', '552 Mailbox is full', 'soft', 'mailbox_full'],
  ['', '554 blocked using a blocklist', 'blocked', 'blocked'],
  ['', 'Unrouteable address', 'hard', 'mailbox_unknown'],
  ['', 'no idea', 'blocked', 'other'],
  ['4.1.1', 'user unknown for now', 'soft', 'unreachable'],
])('classifies the status "%s" with the words "%s" as %s, %s', (status, words, expected, reason) => {
  expect(classifyBounce({ status, words })).toMatchObject({ class: expected, reason });
});

test.each([
  ['550 5.1.1 user unknown', 'hard'],
  ['550 no such user', 'hard'],
  ['552 5.2.2 over quota', 'soft'],
  ['452 4.2.2 over quota', 'soft'],
  ['554 5.7.1 rejected for policy reasons', 'blocked'],
  ['451 4.7.1 greylisted', undefined],
  ['421 too many connections', undefined],
  ['connect ECONNREFUSED', undefined],
])('classifies the refusal "%s" as %s', (response, expected) => {
  expect(classifyRefusal(response)?.class).toBe(expected);
});

const report = (fields: string, type = 'delivery-status') => `From: MAILER-DAEMON@mx.tenant.test
Subject: Undelivered Mail Returned to Sender
Auto-Submitted: auto-replied
Content-Type: multipart/report; report-type=${type}; boundary="x"
MIME-Version: 1.0

--x
Content-Type: text/plain

This is the mail system at host mx.tenant.test. For policy questions, ask postmaster.

--x
Content-Type: message/delivery-status

Reporting-MTA: dns; mx.tenant.test
Arrival-Date: Mon, 30 Nov 2026 08:00:00 +0000

${fields}

--x
Content-Type: text/rfc822-headers

X-Return-Token: quoted
Subject: Training

--x--
`;

const read = async (source: string) => (await readBounceMail(Buffer.from(source.replaceAll('\n', '\r\n')))).bounce;

const FINAL = 'Final-Recipient: rfc822; Ädä@tenant.test\nOriginal-Recipient: rfc822; ada@tenant.test\n';

test.each([
  ['a failure', `${FINAL}Action: failed\nStatus: 5.1.1\nDiagnostic-Code: smtp; 550 5.1.1 user\n unknown`, 'hard'],
  ['a full mailbox', `${FINAL}Action: failed\nStatus: 5.0.0\nDiagnostic-Code: smtp; 552 5.2.2 over quota`, 'soft'],
  ['an expired message', `${FINAL}Action: failed (expired)\nStatus: 4.4.7`, 'soft'],
  ['a spam filter', `${FINAL}Action: failed\nStatus: 5.7.1`, 'blocked'],
  ['a delay', `${FINAL}Action: delayed\nStatus: 4.4.1`, undefined],
  ['a delivery', `${FINAL}Action: delivered\nStatus: 2.1.5`, undefined],
  ['a failure after a delivery', `Action: relayed\nStatus: 2.0.0\n\n${FINAL}Action: failed\nStatus: 5.1.1`, 'hard'],
  ['an unknown action', `${FINAL}Action: \nStatus: 5.1.1`, undefined],
])('reads %s of a delivery status', async (_name, fields, expected) => {
  expect((await read(report(fields)))?.class).toBe(expected);
});

const plain = (headers: string, body: string) => `${headers}\nContent-Type: text/plain\n\n${body}\n`;

test.each([
  [
    'qmail',
    plain(
      'From: MAILER-DAEMON@mx.tenant.test\nSubject: failure notice',
      `Hi. This is the qmail-send program at mx.tenant.test.
I'm afraid I wasn't able to deliver your message to the following addresses.
This is a permanent error; I've given up. Sorry it didn't work out.

<nobody@tenant.test>:
Sorry, no mailbox here by that name. (#5.1.1)

--- Below this line is a copy of the message.

Return-Path: <bounces@sender.test>
Your mailbox is full of spam.`,
    ),
    'hard',
  ],
  [
    'qmail, after a week',
    plain(
      'From: MAILER-DAEMON@mx.tenant.test\nSubject: failure notice',
      `Hi. This is the qmail-send program at mx.tenant.test.
<nobody@tenant.test>:
Connected to 192.0.2.1 but sender was rejected. I'm not going to try again; this message has been in the queue too long.
Message could not be delivered.`,
    ),
    'soft',
  ],
  [
    'Exim',
    plain(
      'From: Mail Delivery System <Mailer-Daemon@mx.tenant.test>\nX-Failed-Recipients: nobody@tenant.test\nAuto-Submitted: auto-replied\nSubject: Mail delivery failed: returning message to sender',
      `A message that you sent could not be delivered to one or more of its recipients.
  nobody@tenant.test
    Unrouteable address

------ This is a copy of the message, including all the headers. ------
Your account is disabled.`,
    ),
    'hard',
  ],
  [
    'Exim, a full mailbox',
    plain(
      'From: Mail Delivery System <Mailer-Daemon@mx.tenant.test>\nX-Failed-Recipients: ada@tenant.test\nSubject: Mail delivery failed',
      `A message that you sent could not be delivered.
  ada@tenant.test
    mailbox is full: retry timeout exceeded`,
    ),
    'soft',
  ],
  [
    'Gmail',
    plain(
      'From: Mail Delivery Subsystem <mailer-daemon@googlemail.com>\nX-Failed-Recipients: nobody@gmail.test\nSubject: Delivery Status Notification (Failure)',
      `Delivery to the following recipient failed permanently:
     nobody@gmail.test
Technical details of permanent failure:
The error that the other server returned was: 550-5.1.1 The email account that you tried to reach does not exist.`,
    ),
    'hard',
  ],
  [
    'Domino',
    plain(
      'From: Postmaster@tenant.test\nSubject: DELIVERY FAILURE: User nobody (nobody@tenant.test) not listed in Domino Directory',
      'Your message was not delivered to: nobody@tenant.test because:\n\nUser nobody (nobody@tenant.test) not listed in Domino Directory',
    ),
    'hard',
  ],
  [
    'Exchange',
    plain(
      'From: MicrosoftExchange329e71ec88ae4615bbc36ab6ce41109e@tenant.test\nSubject: Undeliverable: Training',
      `Your message to nobody@tenant.test couldn't be delivered.
Remote Server returned '550 5.1.10 RESOLVER.ADR.RecipientNotFound; Recipient nobody@tenant.test not found by SMTP address lookup'`,
    ),
    'hard',
  ],
  [
    'a server that writes HTML only',
    'From: postmaster@tenant.test\nSubject: Undeliverable\nContent-Type: text/html\n\n<p>Delivery has failed. <b>550 5.7.1</b> rejected as spam; the message is not delivered</p>\n',
    'blocked',
  ],
  [
    'Postfix, a delay',
    plain(
      'From: MAILER-DAEMON@mx.tenant.test\nSubject: Delayed Mail (still being retried)',
      'Your message could not be delivered for more than 4 hours. 450 4.2.2 full',
    ),
    undefined,
  ],
  [
    'an out-of-office reply',
    plain(
      'From: ada@tenant.test\nSubject: Automatic reply: Training\nAuto-Submitted: auto-replied\nReturn-Path: <>',
      'I am away. My mailbox is full, and this address does not exist any more: 550 5.1.1.',
    ),
    undefined,
  ],
  [
    'an automatic reply of a postmaster',
    plain(
      'From: postmaster@tenant.test\nSubject: Out of office\nX-Autoreply: yes',
      'The mail was not delivered, because we are away.',
    ),
    undefined,
  ],
  [
    'a read receipt',
    report(`${FINAL}Action: failed`, 'disposition-notification').replace(
      'message/delivery-status',
      'message/disposition-notification',
    ),
    undefined,
  ],
  [
    'a complaint',
    plain('From: postmaster@tenant.test\nSubject: complaint', '').replace(
      'Content-Type: text/plain',
      'Content-Type: multipart/report; report-type=feedback-report; boundary=x',
    ),
    undefined,
  ],
  ['a person', plain('From: ada@tenant.test\nSubject: Re: Training', 'user unknown 550 5.1.1'), undefined],
])('reads an email of %s', async (_name, source, expected) => {
  expect((await read(source))?.class).toBe(expected);
});

test('rejects an email with too many parts, and reads headers of a megabyte', async () => {
  await expect(read(`From: a@b.test\n\n${'--x\n\n'.repeat(600)}`)).rejects.toThrow('too many parts');
  const long = report(`${FINAL}Action: failed\nStatus: 5.1.1`).replace(
    'Subject:',
    `X-Long: ${'x'.repeat(1_000_000)}\nSubject:`,
  );
  expect(await read(long)).toMatchObject({ class: 'hard' });
});
