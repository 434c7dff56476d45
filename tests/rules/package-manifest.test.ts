/** @jest-environment node */
import { readManifest } from '../../src/resources/courses/scorm/inspection/manifest.ts';
import { readXml, decodeXml } from '../../src/resources/courses/scorm/inspection/xml-tree.ts';
import { manifestOf } from '../resources/courses/package-samples.ts';

const read = (text: string, ...paths: string[]) => readManifest(text, new Set(['index.html', ...paths]));

test('a manifest of 1.2 says its version, title and page', () => {
  expect(read(manifestOf())).toEqual({ standard: 'scorm_1_2', title: 'Forklifts', launchPath: 'index.html' });
});

test.each(['2004 3rd Edition', '2004 4th Edition', 'CAM 1.3'])('%s is 2004', (version) => {
  expect(read(manifestOf({ version })).standard).toBe('scorm_2004');
});

test('without a version, its names tell it', () => {
  expect(read(manifestOf({ version: '' })).standard).toBe('scorm_1_2');
  const later = manifestOf({ version: '' }).replaceAll('adlcp_rootv1p2', 'adlcp_v1p3');
  expect(read(later).standard).toBe('scorm_2004');
});

test.each([
  ['AICC', manifestOf({ version: '3.0' })],
  ['none', manifestOf({ version: '' }).replaceAll('adlcp_rootv1p2', 'nothing')],
])('another version is refused: %s', (_case, text) => expect(() => read(text)).toThrow('no supported version of SCORM'));

test('the page lies where the bases say, and has the parameters of its item', () => {
  const based = manifestOf({ href: 'page%201.html?a=1', parameters: '?b=2' }).replace(
    '<resources>',
    '<resources xml:base="shared/">',
  );
  expect(read(based, 'shared/page 1.html').launchPath).toBe('shared/page%201.html?a=1&b=2');
  expect(read(manifestOf({ href: '.\\index.html', parameters: '#end' })).launchPath).toBe('index.html#end');
});

test.each([
  ['another server', 'https://elsewhere.test/index.html'],
  ['another server, without a scheme', '//elsewhere.test/index.html'],
  ['a script', 'javascript:alert(1)'],
  ['data', 'data:text/html,x'],
  ['a file that is not there', 'other.html'],
  ['a folder above', '../other.html'],
  ['what cannot be decoded', '%ff.html'],
  ['nothing', ''],
])('a page that is %s is refused', (_case, href) => expect(() => read(manifestOf({ href }))).toThrow(/launch/));

test('what is no page is refused', () => {
  expect(() => read(manifestOf({ href: 'a.pdf' }), 'a.pdf')).toThrow('is not an HTML file');
});

test('an asset reports nothing, and is refused', () => {
  expect(() => read(manifestOf().replace('"sco"', '"asset"'))).toThrow('reports no results');
});

test('several things to launch are refused, with their number', () => {
  const two = manifestOf().replace('</item>', '<item identifierref="r"><title>More</title></item></item>');
  expect(() => read(two)).toThrow('2 items');
  expect(() => read(manifestOf().replace('identifierref="r"', ''))).toThrow('no item to launch');
});

const LAUGHS = `<!DOCTYPE lolz [<!ENTITY a "ha"><!ENTITY b "&a;&a;&a;">]>`;
const OUTSIDE = `<!DOCTYPE manifest [<!ENTITY x SYSTEM "file:///etc/passwd">]>`;

test.each([
  ['of entities', LAUGHS + manifestOf().replace('Forklifts', '&b;')],
  ['of a file outside', OUTSIDE + manifestOf().replace('Forklifts', '&x;')],
  ['of another server', '<!DOCTYPE manifest SYSTEM "https://elsewhere.test/x.dtd"><manifest/>'],
])('a DOCTYPE %s is refused', (_case, text) => {
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
])('%j is refused', (text, why) => expect(() => read(text)).toThrow(why));

test('a prefix does not matter, nor what an element is called in another language', () => {
  const { root } = readXml('<m:manifest xmlns:m="urn:x"><m:title>Ä &amp; B</m:title></m:manifest>');
  expect([root.name, root.children[0]!.text]).toEqual(['manifest', 'Ä & B']);
});

test('a document is read in the encoding that it has', () => {
  const utf16 = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('<a>ä</a>', 'utf16le')]);
  expect(decodeXml(utf16)).toBe('<a>ä</a>');
  const latin = Buffer.from('<?xml version="1.0" encoding="ISO-8859-1"?><a>\xe4</a>', 'latin1');
  expect(decodeXml(latin)).toContain('<a>ä</a>');
  expect(() => decodeXml(Buffer.from([0x3c, 0xff]))).toThrow('encoding');
  expect(() => decodeXml(Buffer.from('<?xml version="1.0" encoding="none"?>'))).toThrow('encoding');
});
