import { markEmail } from '../../src/resources/simulations/templates/marked-email.ts';
import type { PhishingEmailTexts } from '../../src/resources/simulations/templates/simulation-template-content.ts';
import { readTemplates } from '../../src/resources/simulations/templates/written-templates.ts';

const TEXTS: PhishingEmailTexts = {
  senderName: 'Parcel service',
  senderMailbox: 'notice',
  subject: 'Hurry, {{firstName}}!',
  text: '',
  html: '<p>Dear {{companyName}}, pay <b>1.95</b> EUR</p>',
  cues: [],
  lesson: '',
};
const NAMES = { firstName: 'Ada', lastName: 'Lovelace', companyName: 'Acme' };
const mark = (texts: Partial<PhishingEmailTexts>, names = NAMES) =>
  markEmail({ ...TEXTS, ...texts }, names, 'parcels.example');
const note = (number: number) => `<sup><a href="#cue-${number}" role="doc-noteref">${number}</a></sup>`;

test.each([
  ['in English', '“Hurry” is a threat.'],
  ['in German', '„hurry“ droht.'],
  ['in French', '« Hurry » menace.'],
  ['with punctuation that the message lacks', 'It says “Hurry.”'],
])('a quotation %s marks the words of the subject', (_case, cue) => {
  const { subjectHtml, cues } = mark({ cues: [cue] });
  expect(subjectHtml).toBe(`<mark id="mark-1" tabindex="-1">Hurry${note(1)}</mark>, Ada!`);
  expect(cues).toEqual([{ text: cue, isMarked: true }]);
});

test('a quotation across elements and spaces is marked in each element, with one number', () => {
  expect(mark({ cues: ['A fee, “pay 1.95 EUR”, is small.'] }).bodyHtml).toBe(
    `<p>Dear Acme, <mark id="mark-1" tabindex="-1">pay </mark><b><mark>1.95</mark></b><mark> EUR${note(1)}</mark></p>`,
  );
});

test('marks do not overlap: the second cue marks the next occurrence, or nothing', () => {
  const { bodyHtml, cues } = mark({ html: '<p>now or now</p>', cues: ['“now”', '“now”', '“now”'] });
  expect(bodyHtml).toBe(
    `<p><mark id="mark-1" tabindex="-1">now${note(1)}</mark> or <mark id="mark-2" tabindex="-1">now${note(2)}</mark></p>`,
  );
  expect(cues.map(({ isMarked }) => isMarked)).toEqual([true, true, false]);
});

test.each(['The sender is unknown.', 'Der Absender ist unbekannt.', 'L’expéditeur est inconnu.', 'Its domain is new.'])(
  'a cue about the sender without a quotation marks the address: %s',
  (cue) => {
    expect(mark({ cues: [cue] }).senderAddressHtml).toBe(
      `<mark id="mark-1" tabindex="-1">notice@parcels.example${note(1)}</mark>`,
    );
  },
);

test('names, elements and attributes that messages cannot contain are not rendered', () => {
  const names = { ...NAMES, companyName: '<img src=x onerror=alert(1)>“{{link}}”' };
  const { bodyHtml } = mark(
    {
      html:
        '<p onclick="x" style="background: url(x)" dir="rtl">{{companyName}}<script>alert(1)</script><a href="https://evil.example">go</a></p>' +
        '<h2 style="color: red">Title</h2><img src="https://evil.example"><form><input name="a"></form>',
      cues: ['“<img”'],
    },
    names,
  );
  expect(bodyHtml).not.toMatch(/<img|<script|<form|<input|onclick|url\(|https:/);
  expect(bodyHtml).toContain('<mark id="mark-1" tabindex="-1">&lt;img');
  expect(bodyHtml).toContain('<span class="link">go</span>');
  expect(bodyHtml).toContain('<div class="heading" style="color: red">Title</div>');
});

test('deeply nested HTML is rendered', () => {
  const deep = `${'<div>'.repeat(20_000)}now${'</div>'.repeat(20_000)}`;
  expect(mark({ html: deep, cues: ['“now”'] }).bodyHtml).toContain('>now<');
});

test('most cues of the shipped templates have a mark', async () => {
  const { templates } = await readTemplates('content');
  const cues = templates.flatMap(({ content }) =>
    Object.values(content).flatMap((texts) => markEmail(texts, NAMES, 'parcels.example').cues),
  );
  expect(cues.length).toBeGreaterThan(400);
  expect(cues.filter(({ isMarked }) => isMarked).length / cues.length).toBeGreaterThan(0.85);
});

test('a template with many quotations and marks is rendered at once', () => {
  const hostile = { html: `<p>${'ax '.repeat(4900)}</p>`, cues: Array.from({ length: 10 }, () => '“a,”'.repeat(125)) };
  const begin = performance.now();
  mark(hostile);
  expect(performance.now() - begin).toBeLessThan(1000);
});
