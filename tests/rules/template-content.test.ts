import {
  type PhishingEmailTexts,
  type DeliveryMethod,
  judgeTexts,
} from '../../src/resources/simulations/templates/simulation-template-content.ts';

const words: PhishingEmailTexts = {
  senderName: 'Parcel desk',
  senderMailbox: 'parcel-desk',
  subject: '{{firstName}}, a parcel',
  text: 'Hello {{firstName}},\n\nyour parcel for {{companyName}}: {{link}}\n',
  html: '<table role="presentation" width="100%"><tr><td style="padding: 8px; font-family: Arial, \'DejaVu Sans\'">Hello {{lastName}}</td></tr></table>\n<p><a href="{{link}}" style="color:#ffffff">To the parcel</a></p>',
  cues: ['The address ends in .example.', 'www.parcel.example is not ours.'],
  lesson: 'Ask first.\n\nThen open https://intranet.example yourself.',
};
const attachment = { name: 'Parcel notice.pdf', title: 'Notice', text: 'Hello {{firstName}}, see {{link}}' };

function faultsOf(change: Partial<PhishingEmailTexts> = {}, method: DeliveryMethod = 'email'): string[] {
  return judgeTexts(method, { ...words, ...change }).map(({ field, message }) => `${field} ${message}`);
}

test('plain content is accepted for each delivery method', () => {
  expect(faultsOf()).toEqual([]);
  expect(faultsOf({ html: '<p>Scan it:</p>{{qrCode}}', text: 'Scan this QR code:\nAda' }, 'qr_code')).toEqual([]);
  const mail = { html: '<p>See Parcel-notice.pdf.</p>', text: 'See the file “Parcel-notice.pdf”, please.' };
  expect(faultsOf({ ...mail, attachment }, 'attachment')).toEqual([]);
});

test('each field is checked and named', () => {
  const faults = judgeTexts('email', { ...words, subject: 'a\nb', senderMailbox: 'A b', cues: ['x', '{{link}}'] });
  expect(faults.map(({ field }) => field)).toEqual(['senderMailbox', 'subject', 'cues/1']);
});

test.each<[DeliveryMethod, Partial<PhishingEmailTexts>, string]>([
  ['email', { text: 'Hello' }, 'text must have {{link}}'],
  ['email', { html: '<p>Hello</p>' }, 'html must have a link'],
  ['email', { attachment }, 'attachment is only for templates'],
  ['email', { html: `${words.html}{{qrCode}}` }, 'html has {{qrCode}}; the allowed variables are'],
  ['qr_code', {}, 'html must have {{qrCode}} exactly once'],
  ['qr_code', { html: '{{qrCode}}{{qrCode}}' }, 'html must have {{qrCode}} exactly once'],
  ['attachment', {}, 'attachment is required'],
])('the delivery method %s has its own requirements: %j', (method, change, fault) => {
  expect(faultsOf(change, method)).toEqual([expect.stringContaining(fault)]);
});

test.each(['invoice.exe', 'invoice.exe.pdf', '../a.pdf', 'a.pdf\n', '.pdf', 'a\u202efdp.pdf'])(
  'an attachment cannot be named %j',
  (name) => {
    expect(faultsOf({ attachment: { ...attachment, name } }, 'attachment')).toEqual([
      expect.stringContaining('attachment/name'),
    ]);
  },
);

test.each<[keyof PhishingEmailTexts, string, string]>([
  ['senderName', 'Desk of {{companyName}}', 'no variables are allowed here'],
  ['subject', '{{link}}', 'the allowed variables are {{firstName}}, {{lastName}}, {{companyName}}'],
  ['subject', '{{password}}', 'has {{password}}'],
  ['text', '{{link}} {{ firstName }}', 'without a variable'],
  ['text', '{{link}} {{{{firstName}}', 'without a variable'],
  ['lesson', 'Hello {{firstName}}', 'no variables are allowed here'],
  ['subject', '=?utf-8?q?x?=', 'an encoded word'],
  ['senderName', 'Desk\r\nBcc: x', 'must be one line'],
])('%s cannot be %j', (field, text, fault) => {
  expect(faultsOf({ [field]: text }).join()).toContain(fault);
});

test.each([
  ...['http://evil.example', 'See www.evil.example.', 'Mail me@evil.example', 'evil.example/login', 'evil。example'],
  ...[String.raw`\\evil\share`, String.raw`file:\evil`, 'tel:+15550100', 'evil.{{firstName}}'],
  ...['{{firstName}}.example', 'evil.example/{{link}}', 'e\u200bvil.example', 'invoice.pdf.example', 'a.example/x.pdf'],
])('%j, which mail programs turn into a link, is rejected in every visible field', (address) => {
  for (const field of ['senderName', 'subject', 'text', 'html'] as const) {
    expect(faultsOf({ [field]: `${field === 'html' ? words.html : '{{link}}'} ${address}` }).join()).toContain(
      'which mail programs turn into a link',
    );
  }
});

test.each(['Password: ____', 'Benutzer: x, Passwort: ...', 'Mot de passe :', 'Ihr Passwort:', 'PIN:\nTAN:'])(
  'a field for a secret is rejected: %j',
  (text) => {
    expect(faultsOf({ text: `{{link}}\n${text}` })).toEqual(['text must not have a blank for a secret']);
  },
);

test('text that mentions a secret is accepted', () => {
  expect(faultsOf({ text: 'Your password ends today. PIN: see the letter. Set a new password: {{link}}' })).toEqual([]);
});
