import { renderMessageHtml, renderMessageText } from '../../src/mail/messages/message-form.ts';
import type { MessageContent } from '../../src/mail/wording/wording.ts';

const content = (parts: Partial<MessageContent> = {}): MessageContent => ({
  subject: 'Subject',
  greeting: 'Hello Ada,',
  paragraphs: ['First.', 'Second.'],
  items: [],
  footer: 'Why you get this.',
  ...parts,
});
const action = { label: 'Go', url: 'https://a.test/?b=1&c=%22' };
const hostile = '<script>alert("1" + \'2\')</script> & </body>';
const escaped = '&lt;script&gt;alert(&quot;1&quot; + &#39;2&#39;)&lt;/script&gt; &amp; &lt;/body&gt;';

describe('renderMessageText', () => {
  test('separates parts by an empty line and the footer by a signature delimiter', () => {
    expect(renderMessageText(content())).toBe('Hello Ada,\n\nFirst.\n\nSecond.\n\n-- \nWhy you get this.\n');
  });

  test('gives each item and the link their own lines', () => {
    expect(renderMessageText(content({ items: ['One', 'Two'], afterItems: ['Third.'], action }))).toContain(
      '\n\nSecond.\n\n- One\n- Two\n\nThird.\n\nGo\nhttps://a.test/?b=1&c=%22\n\n-- \n',
    );
  });

  test('escapes nothing', () => {
    expect(renderMessageText(content({ greeting: hostile }))).toContain(hostile);
  });
});

describe('renderMessageHtml', () => {
  test('has the language, the subject as title, and each part once', () => {
    const html = renderMessageHtml(content({ items: ['One', 'Two'], afterItems: ['Third.'], action }), 'fr');
    expect(html).toMatch(/^<!doctype html>\n<html lang="fr">/);
    expect(html).toContain('<title>Subject</title>');
    const [before, after] = html.split('<ul><li>One</li><li>Two</li></ul>');
    expect(before!.match(/<p>[^<]*<\/p>/g)).toEqual(['<p>Hello Ada,</p>', '<p>First.</p>', '<p>Second.</p>']);
    expect(after!.match(/<p>[^<]*<\/p>/g)).toEqual(['<p>Third.</p>']);
    expect(html).toMatch(/<a href="https:\/\/a\.test\/\?b=1&amp;c=%22" [^>]*>Go<\/a>/);
    expect(html).toContain('>https://a.test/?b=1&amp;c=%22</p>');
    expect(html).toContain('>Why you get this.</p>');
  });

  test('has no list and no link without items and action', () => {
    expect(renderMessageHtml(content(), 'en')).not.toMatch(/<ul|<li|<a\b|undefined/);
  });

  test.each<[string, Partial<MessageContent>]>([
    ['subject', { subject: hostile }],
    ['greeting', { greeting: hostile }],
    ['paragraph', { paragraphs: [hostile] }],
    ['paragraph after the items', { afterItems: [hostile] }],
    ['item', { items: [hostile] }],
    ['label', { action: { label: hostile, url: 'https://a.test' } }],
    ['link', { action: { label: 'Go', url: hostile } }],
    ['footer', { footer: hostile }],
  ])('escapes HTML in the %s', (_part, parts) => {
    const html = renderMessageHtml(content(parts), 'en');
    expect(html).toContain(escaped);
    expect(html).not.toContain('<script');
    expect(html.match(/<\/body>/g)).toHaveLength(1);
  });

  test('loads no resources and runs no scripts', () => {
    expect(renderMessageHtml(content({ items: ['One'], action }), 'en')).not.toMatch(
      /<(script|img|link|style|iframe|form)\b|\bon\w+=|url\(/,
    );
  });
});
