import {
  type PhishingEmailValues,
  renderPhishingEmail,
} from '../../src/resources/simulations/sending/render-phishing-email.ts';
import type { PhishingEmailTexts } from '../../src/resources/simulations/templates/simulation-template-content.ts';

const words: PhishingEmailTexts = {
  senderName: 'Parcel desk',
  senderMailbox: 'parcels',
  subject: '{{firstName}}, a parcel for {{companyName}}',
  text: 'Hello {{firstName}} {{lastName}},\nyour parcel: {{link}}',
  html: '<p>Hello {{firstName}} {{lastName}} of {{companyName}}</p><a href="{{link}}">Parcel</a>{{qrCode}}',
  cues: ['Nobody ordered a parcel.'],
  lesson: 'Ask first.',
};
const values: PhishingEmailValues = {
  ...{ language: 'de', firstName: 'Ada', lastName: 'Lovelace', companyName: 'Acme' },
  ...{ link: 'https://bait.test/s/token?a=1&b=2', qrCode: 'cid:qr-code' },
};
const attachment = { name: 'Notice.pdf', title: 'For {{firstName}}', text: '{{lastName}}: {{link}}' };

/** Removes the zero-width spaces that keep a name from becoming a link. */
const unmarked = (text: string) => text.replaceAll('\u200b', '');

test("subject, text and HTML are filled in, and the document has the recipient's language", () => {
  const { subject, text, html } = renderPhishingEmail(words, values);
  expect(subject).toBe('Ada, a parcel for Acme');
  expect(text).toBe('Hello Ada Lovelace,\nyour parcel: https://bait.test/s/token?a=1&b=2\n');
  expect(html).toMatch(
    /^<!doctype html>\n<html lang="de">\n<head>.*<title>Ada, a parcel for Acme<\/title><\/head>\n<body>\n/,
  );
  expect(html).toContain('<a href="https://bait.test/s/token?a=1&amp;b=2">Parcel</a><img src="cid:qr-code"');
  expect(html).not.toContain('width="1"');
});

test('the tracking image is the last element of the body', () => {
  const { html } = renderPhishingEmail(words, { ...values, picture: 'https://bait.test/p.gif?a&b' });
  expect(html).toMatch(/<img src="https:\/\/bait\.test\/p\.gif\?a&amp;b" width="1" height="1" alt="">\n<\/body>/);
});

test('the title and text of an attachment are filled in, its name is not', () => {
  expect(renderPhishingEmail({ ...words, attachment }, values).attachment).toEqual({
    ...{ name: 'Notice.pdf', title: 'For Ada', text: `Lovelace: ${values.link}` },
  });
  expect(renderPhishingEmail(words, values).attachment).toBeNull();
});

describe('a hostile name', () => {
  const named = (name: string) =>
    renderPhishingEmail(words, { ...values, firstName: name, lastName: name, companyName: name });

  test('is escaped in HTML', () => {
    const { html } = named('<b onclick="x">&\'');
    expect(html).toContain('<p>Hello &lt;b onclick=&quot;x&quot;&gt;&amp;&#39; ');
    expect(html).toContain('<title>&lt;b');
  });

  test('begins neither a header nor a line', () => {
    const { subject, text } = named('Ada\r\nBcc: evil\u2028x');
    expect(subject).not.toMatch(/[\r\n\u2028]/);
    expect(text.split('\n')).toHaveLength(3);
  });

  test('is not expanded as a variable', () => {
    const { subject, text } = named('{{link}}{{lastName}}');
    expect(subject).toContain('{{link}}{{lastName}}');
    expect(text.split(values.link)).toHaveLength(2);
  });

  test.each(['www.evil.example', 'https://evil.example/x', 'a@evil.example'])('is not a link: %s', (name) => {
    const { subject, text, html } = named(name);
    for (const part of [subject, text, html]) {
      expect(part).not.toContain(name);
      expect(unmarked(part)).toContain(name);
    }
  });

  test.each([
    ['evil{{firstName}}example', '.'],
    ['evil{{firstName}}', '.example'],
    ['{{firstName}}example', 'evil.'],
    ['https:{{firstName}}evil', '//'],
  ])('makes no link with adjacent text: %s with %s', (text, name) => {
    const email = renderPhishingEmail({ ...words, subject: text, text, html: text }, { ...values, firstName: name });
    for (const part of [email.subject, email.text, email.html]) {
      expect(part).not.toContain(text.replace('{{firstName}}', name));
      expect(unmarked(part)).toContain(text.replace('{{firstName}}', name));
    }
  });

  test('makes no encoded word, not even in two parts', () => {
    expect(named('=?utf-8?q?x?=').subject).not.toContain('=?');
    expect(
      renderPhishingEmail({ ...words, subject: '={{firstName}}' }, { ...values, firstName: '?utf-8?q?x?=' }).subject,
    ).not.toContain('=?');
  });
});
