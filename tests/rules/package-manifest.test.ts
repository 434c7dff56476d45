/** @jest-environment node */
import { readManifest } from '../../src/resources/courses/scorm/inspection/manifest.ts';
import { readXml, decodeXml } from '../../src/resources/courses/scorm/inspection/xml-tree.ts';
import { manifestOf } from '../resources/courses/package-samples.ts';

const read = (text: string, ...paths: string[]) => readManifest(text, new Set(['index.html', ...paths]));

test('a SCORM 1.2 manifest has its version, title and launch page', () => {
  expect(read(manifestOf())).toMatchObject({
    ...{ standard: 'scorm_1_2', schemaVersion: '1.2', title: 'Forklifts', launchPath: 'index.html' },
    items: [{ id: 'i', title: 'All', level: 0, isHidden: false, isSco: true, isPlayed: true, objectives: [] }],
  });
});

test.each(['2004 3rd Edition', '2004 4th Edition', 'CAM 1.3', 'CAM1.3', '1.3'])('%s is SCORM 2004', (version) => {
  expect(read(manifestOf({ version })).standard).toBe('scorm_2004');
});

test.each(['SCORM 1.2', '1.1', ' 1.2 ', '1.1.3'])('%s is SCORM 1.2', (version) => {
  expect(read(manifestOf({ version })).standard).toBe('scorm_1_2');
});

test('without a version, the namespaces decide', () => {
  expect(read(manifestOf({ version: '' })).standard).toBe('scorm_1_2');
  const later = manifestOf({ version: '' }).replaceAll('adlcp_rootv1p2', 'adlcp_v1p3');
  expect(read(later).standard).toBe('scorm_2004');
});

test('without a declared namespace, the spelling of an attribute decides', () => {
  const undeclared = manifestOf({ version: '' }).replaceAll(/xmlns:adlcp="[^"]*"/g, '');
  expect(read(undeclared).standard).toBe('scorm_1_2');
  expect(read(undeclared.replace('scormtype', 'scormType')).standard).toBe('scorm_2004');
});

test.each([
  ['AICC', manifestOf({ version: '3.0' }).replaceAll('adlcp_rootv1p2', 'nothing')],
  [
    'a missing version and namespace',
    manifestOf({ version: '' }).replaceAll('adlcp_rootv1p2', 'nothing').replace('adlcp:scormtype="sco"', ''),
  ],
])('an unsupported version is rejected: %s', (_case, text) =>
  expect(() => read(text)).toThrow('no supported version of SCORM'),
);

test('the launch page follows xml:base and has the parameters of its item', () => {
  const based = manifestOf({ href: 'page%201.html?a=1', parameters: '?b=2' }).replace(
    '<resources>',
    '<resources xml:base="shared/">',
  );
  expect(read(based, 'shared/page 1.html').launchPath).toBe('shared/page%201.html?a=1&b=2');
  expect(read(manifestOf({ href: '.\\index.html', parameters: '#end' })).launchPath).toBe('index.html#end');
});

test.each([
  ['Index.HTML', 'index.html', 'index.html'],
  ['./index.html', 'index.html', 'index.html'],
  ['/index.html', 'index.html', 'index.html'],
  ['100% safe.html', '100% safe.html', '100%25%20safe.html'],
  ['C# intro/start.html', 'c# intro/Start.html', 'c%23%20intro/Start.html'],
  ['C# intro/start.html?a=1#b', 'C# intro/start.html', 'C%23%20intro/start.html?a=1#b'],
  ['a%20b.html', 'a b.html', 'a%20b.html'],
  ['a%20b.html', 'a%20b.html', 'a%2520b.html'],
  ['e\u0301.html', '\u00e9.html', '%C3%A9.html'],
  ['a//b/../start.html', 'a/start.html', 'a/start.html'],
])('the URL %j finds the file %j', (href, file, launchPath) => {
  expect(read(manifestOf({ href }), file).launchPath).toBe(launchPath);
});

test.each([
  ['on another server', 'https://elsewhere.test/index.html'],
  ['on another server, without a scheme', '//elsewhere.test/index.html'],
  ['a script', 'javascript:alert(1)'],
  ['a data URL', 'data:text/html,x'],
  ['missing', 'other.html'],
  ['in a parent folder', '../other.html'],
  ['undecodable', '%ff.html'],
  ['empty', ''],
])('a launch page that is %s is rejected', (_case, href) => expect(() => read(manifestOf({ href }))).toThrow(/launch/));

test('a launch page that is not HTML is rejected', () => {
  expect(() => read(manifestOf({ href: 'a.pdf' }), 'a.pdf')).toThrow('is not an HTML file');
});

test('a package with only an asset is rejected, because it reports nothing', () => {
  expect(() => read(manifestOf().replace('"sco"', '"asset"'))).toThrow('reports no results');
});

test('an item to launch is required', () => {
  expect(() => read(manifestOf().replace('identifierref="r"', ''))).toThrow('no item to launch');
});

const withItems = (items: string, resources = '', version = '1.2') =>
  manifestOf({ version })
    .replace(/<item.*<\/item>/s, items)
    .replace('</resources>', `${resources}</resources>`);

test('several items keep their tree, and the first visible SCO is played', () => {
  const items = `<item identifier="h"><title>Part 1</title>
    <item identifier="a" identifierref="hand-out"><title>Hand-out</title></item>
    <item identifier="b" identifierref="r" isvisible="false" parameters="?x=1"><title>Hidden</title></item>
    <item identifier="c" identifierref="r"><title>Page</title><adlcp:prerequisites>a</adlcp:prerequisites></item></item>
    <item identifier="d" identifierref="gone"/>`;
  const resources = '<resource identifier="hand-out" adlcp:scormtype="asset" href="a.pdf"/>';
  const { items: read1, launchPath } = read(withItems(items, resources), 'a.pdf');
  expect(
    read1.map(({ id, level, isHidden, isSco, isPlayed, launchPath }) => [
      ...[id, level, isHidden, isSco, isPlayed, launchPath],
    ]),
  ).toEqual([
    ['h', 0, false, false, false, null],
    ['a', 1, false, false, false, 'a.pdf'],
    ['b', 1, true, true, false, 'index.html?x=1'],
    ['c', 1, false, true, true, 'index.html'],
    ['d', 0, false, false, false, null],
  ]);
  expect(read1[3]!.prerequisites).toBe('a');
  expect(launchPath).toBe('index.html');
});

test('an item of SCORM 1.2 has its launch data, mastery score and time limit', () => {
  const items = `<item identifier="i" identifierref="r"><title>One</title>
    <adlcp:maxtimeallowed>00:30:00</adlcp:maxtimeallowed><adlcp:timelimitaction>exit, no message</adlcp:timelimitaction>
    <adlcp:datafromlms>lang=fr;mode=strict</adlcp:datafromlms><adlcp:masteryscore>90</adlcp:masteryscore></item>`;
  expect(read(withItems(items)).items).toMatchObject([
    {
      ...{ launchData: 'lang=fr;mode=strict', masteryScore: 90, maxTimeAllowed: '00:30:00' },
      timeLimitAction: 'exit,no message',
    },
  ]);
});

test.each([
  ['the 4th edition', '<adlcp:completionThreshold completedByMeasure="true" minProgressMeasure="0.75"/>', 0.75],
  ['the 3rd edition', '<adlcp:completionThreshold>0.8</adlcp:completionThreshold>', 0.8],
  ['a threshold that is switched off', '<adlcp:completionThreshold completedByMeasure="false"/>', null],
  ['an invalid threshold', '<adlcp:completionThreshold>80%</adlcp:completionThreshold>', null],
])('an item of SCORM 2004 has its completion threshold: %s', (_case, threshold, expected) => {
  const items = `<item identifier="i" identifierref="r"><title>One</title>${threshold}</item>`;
  expect(read(withItems(items, '', '2004 4th Edition')).items[0]!.completionThreshold).toBe(expected);
});

test('an item of SCORM 2004 has its objectives and passing score, also from shared sequencing', () => {
  const objectives = `<imsss:limitConditions attemptAbsoluteDurationLimit="PT30M"/><imsss:objectives>
    <imsss:objective objectiveID="second"/><imsss:primaryObjective satisfiedByMeasure="true" objectiveID="first">
    <imsss:minNormalizedMeasure>0.7</imsss:minNormalizedMeasure></imsss:primaryObjective></imsss:objectives>`;
  const expected = { objectives: ['first', 'second'], scaledPassingScore: 0.7, maxTimeAllowed: 'PT30M' };
  const own = `<item identifier="i" identifierref="r"><imsss:sequencing>${objectives}</imsss:sequencing></item>`;
  expect(read(withItems(own, '', '2004 3rd Edition')).items).toMatchObject([expected]);
  const referring = '<item identifier="i" identifierref="r"><imsss:sequencing IDRef="s"/></item>';
  const shared = `<imsss:sequencingCollection><imsss:sequencing ID="s">${objectives}</imsss:sequencing></imsss:sequencingCollection>`;
  const text = withItems(referring, '', '2004 3rd Edition').replace('</manifest>', `${shared}</manifest>`);
  expect(read(text).items).toMatchObject([expected]);
});

const LAUGHS = `<!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>`;
const OUTSIDE = `<!DOCTYPE manifest [<!ENTITY x SYSTEM "file:///etc/passwd">]>`;

test.each([
  ['with entities', LAUGHS + manifestOf().replace('Forklifts', '&b;')],
  ['with an external file', OUTSIDE + manifestOf().replace('Forklifts', '&x;')],
  ['with a parameter entity', `<!DOCTYPE m [<!ENTITY % a SYSTEM "https://elsewhere.test/x.dtd"> %a;]>${manifestOf()}`],
])('a DOCTYPE %s is rejected', (_case, text) => {
  expect(() => read(text.replace(/(<!DOCTYPE.*?\]?>)<\?xml.*?\?>/, '$1'))).toThrow('DOCTYPE');
});

test('a DOCTYPE without entities is accepted, and its file is not read', () => {
  const doctype = '<!DOCTYPE manifest SYSTEM "https://elsewhere.test/x.dtd" [<!ELEMENT title (#PCDATA)>]>';
  expect(read(manifestOf().replace('?>', `?>${doctype}`)).title).toBe('Forklifts');
});

test.each([
  ['', 'well-formed XML: document must contain a root element'],
  ['no XML', 'well-formed'],
  ['<manifest>', 'well-formed'],
  ['<manifest>\n &unknown;</manifest>', 'well-formed XML: undefined entity (line 2, column 10)'],
  ['<manifest a="1" a="2"/>', 'well-formed'],
  ['<x:manifest/>', 'no supported version'],
  ['<html/>', 'is not a manifest'],
  ['<a>'.repeat(60) + '</a>'.repeat(60), 'nested too deeply'],
])('%j is rejected', (text, why) => expect(() => read(text)).toThrow(why));

test('namespace prefixes are ignored, and text is decoded', () => {
  const { root } = readXml('<m:manifest xmlns:m="urn:x"><m:title>Ä &amp; B</m:title></m:manifest>');
  expect([root.name, root.children[0]!.text]).toEqual(['manifest', 'Ä & B']);
});

const xml = (encoding: string) => `<?xml version="1.0" encoding="${encoding}"?>`;

test.each<[string, Buffer]>([
  ['UTF-16 with a byte order mark', Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('<a>ä</a>', 'utf16le')])],
  ['UTF-16 without a byte order mark', Buffer.from('<a>ä</a>', 'utf16le')],
  ['UTF-8 that declares UTF-16', Buffer.from(`${xml('utf-16')}<a>ä</a>`)],
  ['UTF-8 with an unknown declaration', Buffer.from(`${xml('none')}<a>ä</a>`)],
  ['Latin-1', Buffer.from(`${xml('ISO-8859-1')}<a>\xe4</a>`, 'latin1')],
  ['Latin-1 without a declaration', Buffer.from('<a>\xe4</a>', 'latin1')],
  ['Latin-1 that declares UTF-8', Buffer.from(`${xml('utf-8')}<a>\xe4</a>`, 'latin1')],
])('a document is decoded: %s', (_case, bytes) => expect(decodeXml(bytes)).toContain('<a>ä</a>'));

// A search of the whole collection for each item takes 16 s.
test('1000 items that share 50,000 sequencings are read within seconds', () => {
  const item = '<item identifierref="r"><title>x</title><sequencing IDRef="last"/></item>';
  const collection = '<sequencing ID="none"/>'.repeat(50_000);
  const last =
    '<sequencing ID="last"><objectives><primaryObjective satisfiedByMeasure="true" objectiveID="o"/></objectives></sequencing>';
  const text = manifestOf({ version: '2004 3rd Edition' })
    .replace(/<item.*<\/item>/s, item.repeat(1000))
    .replace('</manifest>', `<sequencingCollection>${collection}${last}</sequencingCollection></manifest>`);
  const begin = performance.now();
  expect(read(text).items.at(-1)).toMatchObject({ objectives: ['o'], scaledPassingScore: 1 });
  expect(performance.now() - begin).toBeLessThan(5000);
});
