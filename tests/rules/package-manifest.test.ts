/** @jest-environment node */
import { readManifest } from '../../src/resources/courses/scorm/inspection/manifest.ts';
import { readXml, decodeXml } from '../../src/resources/courses/scorm/inspection/xml-tree.ts';
import { manifestOf } from '../resources/courses/package-samples.ts';

const read = (text: string, ...paths: string[]) => readManifest(text, new Set(['index.html', ...paths]));

test('a SCORM 1.2 manifest has its version, title and launch page', () => {
  expect(read(manifestOf())).toEqual({ standard: 'scorm_1_2', title: 'Forklifts', launchPath: 'index.html' });
});

test.each(['2004 3rd Edition', '2004 4th Edition', 'CAM 1.3'])('%s is SCORM 2004', (version) => {
  expect(read(manifestOf({ version })).standard).toBe('scorm_2004');
});

test('without a version, the namespaces decide', () => {
  expect(read(manifestOf({ version: '' })).standard).toBe('scorm_1_2');
  const later = manifestOf({ version: '' }).replaceAll('adlcp_rootv1p2', 'adlcp_v1p3');
  expect(read(later).standard).toBe('scorm_2004');
});

test.each([
  ['AICC', manifestOf({ version: '3.0' })],
  ['a missing version and namespace', manifestOf({ version: '' }).replaceAll('adlcp_rootv1p2', 'nothing')],
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

test('several launchable items, or none, are rejected', () => {
  const two = manifestOf().replace('</item>', '<item identifierref="r"><title>More</title></item></item>');
  expect(() => read(two)).toThrow('2 items');
  expect(() => read(manifestOf().replace('identifierref="r"', ''))).toThrow('no item to launch');
});

const LAUGHS = `<!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>`;
const OUTSIDE = `<!DOCTYPE manifest [<!ENTITY x SYSTEM "file:///etc/passwd">]>`;

test.each([
  ['with entities', LAUGHS + manifestOf().replace('Forklifts', '&b;')],
  ['with an external file', OUTSIDE + manifestOf().replace('Forklifts', '&x;')],
  ['on another server', '<!DOCTYPE manifest SYSTEM "https://elsewhere.test/x.dtd"><manifest/>'],
])('a DOCTYPE %s is rejected', (_case, text) => {
  expect(() => read(text.replace(/(<!DOCTYPE.*?\]?>)<\?xml.*?\?>/, '$1'))).toThrow('DOCTYPE');
});

test.each([
  ['', 'well-formed'],
  ['no XML', 'well-formed'],
  ['<manifest>', 'well-formed'],
  ['<manifest>&unknown;</manifest>', 'well-formed'],
  ['<manifest a="1" a="2"/>', 'well-formed'],
  ['<x:manifest/>', 'well-formed'],
  ['<html/>', 'is not a manifest'],
  ['<a>'.repeat(60) + '</a>'.repeat(60), 'nested too deeply'],
])('%j is rejected', (text, why) => expect(() => read(text)).toThrow(why));

test('namespace prefixes are ignored, and text is decoded', () => {
  const { root } = readXml('<m:manifest xmlns:m="urn:x"><m:title>Ä &amp; B</m:title></m:manifest>');
  expect([root.name, root.children[0]!.text]).toEqual(['manifest', 'Ä & B']);
});

test('a document is decoded by its declared encoding, and an invalid one is rejected', () => {
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('<a>ä</a>', 'utf16le')]);
  expect(decodeXml(utf16)).toBe('<a>ä</a>');
  const latin = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>\xe4</a>', 'latin1');
  expect(decodeXml(latin)).toContain('<a>ä</a>');
  expect(() => decodeXml(Buffer.from([0x3c, 0xff]))).toThrow('encoding');
  expect(() => decodeXml(Buffer.from('<?xml version="1.0" encoding="none"?>'))).toThrow('encoding');
});
