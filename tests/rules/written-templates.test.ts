import { inLine } from '../../src/resources/courses/authored/course.ts';
import type { Fault } from '../../src/resources/courses/authored/course.ts';
import { SHIPPED_CONTENT } from '../../src/resources/courses/authored/read-content.ts';
import { readTemplate, readTemplates } from '../../src/resources/simulations/templates/written-templates.ts';

const MANIFEST = `id: 0192a3b4-0000-7000-8000-4000000000aa
names: { en: A, de: B }
deliveryMethod: email
difficulty: 2
languages: [en, de]
reviewed: 2026-11-24
`;
const WORDS = `senderName: Parcel desk
senderMailbox: parcels
subject: For {{firstName}}
text: 'See {{link}}'
html: '<p><a href="{{link}}">See</a></p>'
cues: [A sign.]
lesson: Ask first.
`;

/** Returns the faults of a valid template after the given changes; undefined omits a file. */
function faultsOf(changes: Record<string, string | undefined>): string[] {
  const written = { 'template.yaml': MANIFEST, 'en.yaml': WORDS, 'de.yaml': WORDS, ...changes };
  const files = Object.entries(written).flatMap(([name, text]) =>
    text === undefined ? [] : ([[name, Buffer.from(text)]] as const),
  );
  const faults: Fault[] = [];
  readTemplate('simulations/slug', new Map(files), faults);
  return faults.map(inLine);
}

test('the shipped templates have no faults and cover three languages and every delivery method', async () => {
  const { templates, faults } = await readTemplates(SHIPPED_CONTENT);
  expect(faults).toEqual([]);
  expect(templates.length).toBeGreaterThanOrEqual(20);
  for (const { content } of templates) expect(Object.keys(content)).toEqual(['en', 'de', 'fr']);
  const methods = new Set(templates.map(({ deliveryMethod }) => deliveryMethod));
  expect(methods).toEqual(new Set(['email', 'qr_code', 'attachment']));
  expect(await readTemplates('/nowhere')).toEqual({ templates: [], faults: [] });
});

test('a valid template has no faults', () => expect(faultsOf({})).toEqual([]));

test.each<[string, Record<string, string | undefined>, RegExp]>([
  ['invalid YAML in its manifest', { 'template.yaml': 'id: [' }, /^simulations\/slug\/template\.yaml, line \d+: /],
  ['no manifest', { 'template.yaml': undefined }, /template\.yaml: is missing/],
  ['an invalid difficulty', { 'template.yaml': MANIFEST.replace('2\n', '6\n') }, /difficulty: must be at most 5/],
  [
    'an unknown delivery method',
    { 'template.yaml': MANIFEST.replace(/deliveryMethod: .*/, 'deliveryMethod: fax') },
    /deliveryMethod: must be one of email, qr_code, attachment/,
  ],
  [
    'a name that is missing in one language',
    { 'template.yaml': MANIFEST.replace(', de: B', '') },
    /names\/de: is required/,
  ],
  ['a missing language file', { 'de.yaml': undefined }, /de\.yaml: is missing/],
  ['an unexpected file', { 'fr.yaml': WORDS }, /fr\.yaml: is not a file of a template/],
  ['an unknown field', { 'de.yaml': `${WORDS}landing: x\n` }, /de\.yaml, landing: is not a known field/],
  [
    'a script',
    { 'de.yaml': WORDS.replace('</p>', '<script>x</script></p>') },
    /de\.yaml, html: must not have the element script/,
  ],
  ['no link', { 'en.yaml': WORDS.replace('See {{link}}', 'See') }, /en\.yaml, text: must have \{\{link\}\}/],
])('a template with %s is reported with its location', (_case, files, fault) => {
  expect(faultsOf(files)).toEqual(expect.arrayContaining([expect.stringMatching(fault)]));
});
