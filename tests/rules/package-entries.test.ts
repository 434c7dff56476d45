/** @jest-environment node */
import { DEFAULT_PACKAGE_LIMITS } from '../../src/config/package-limits.ts';
import {
  doOverlap,
  type Entry,
  findEntriesFault as findFault,
} from '../../src/resources/courses/scorm/inspection/entry-rules.ts';
import { getContentType, isProgram } from '../../src/resources/courses/scorm/inspection/file-types.ts';
import { quoted } from '../../src/resources/courses/scorm/inspection/path-names.ts';

const MIB = 1024 * 1024;
const findEntriesFault = (entries: readonly Entry[]) => findFault(entries, DEFAULT_PACKAGE_LIMITS);

function file(path: string, more: Partial<Entry> = {}): Entry {
  return { path, packedBytes: 100, sizeBytes: 200, method: 8, isEncrypted: false, fileType: 0o10, ...more };
}

const faultOf = (path: string, more: Partial<Entry> = {}) => findEntriesFault([file('index.html'), file(path, more)]);

test.each([
  'index.html',
  'a/b/c.JS',
  'Übung 1/Seite.html',
  'images/ä – 漢字.png',
  '.well/.hidden.css',
  'a..b.js',
  "l'été.html",
])('a file named %s is accepted', (path) =>
  expect(faultOf(path, {})).toEqual(path === 'index.html' ? expect.stringContaining('has two files') : undefined),
);

test.each([
  ['../evil.html', 'points outside'],
  ['a/../../evil.html', 'points outside'],
  ['a/./b.html', 'points outside'],
  ['..', 'points outside'],
  ['/etc/passwd.txt', 'absolute'],
  ['C:/windows.html', 'absolute'],
  ['c:evil.html', 'absolute'],
  ['a//b.html', 'an invalid name'],
  ['a/ /b.html', 'an invalid name'],
  ['a./b.html', 'an invalid name'],
  ['b.html ', 'an invalid name'],
  ['a\0.html', 'character'],
  ['a\r\nb.html', 'character'],
  ['a?b.html', 'character'],
  ['ab:c.html', 'character'],
  ['a"><b.html', 'character'],
  ['a\ufffd.html', 'character'],
  [`${'x'.repeat(300)}.html`, '250'],
])('the name %j is rejected', (path, why) => expect(faultOf(path)).toContain(why));

test.each<[string, Partial<Entry>, string]>([
  ['encrypted', { isEncrypted: true }, 'encrypted'],
  ['a symbolic link', { fileType: 0o12 }, 'link'],
  ['a device', { fileType: 0o02 }, 'link'],
  ['compressed with LZMA', { method: 14 }, 'deflate'],
  ['stored with two different sizes', { method: 0 }, 'two different sizes'],
  ['10 MiB compressed to 10 KiB', { sizeBytes: 10 * MIB, packedBytes: 10 * 1024 }, '100 times'],
])('a file that is %s is rejected', (_case, more, why) => expect(faultOf('a.html', more)).toContain(why));

test.each(['a.php', 'a.zip', 'a.swf', 'a.html.bak', 'a', 'content.data', 'a.xlsx', 'constructor', 'a.__proto__'])(
  'a file named %s is accepted as a download',
  (path) => {
    expect([faultOf(path), getContentType(path)]).toEqual([undefined, 'application/octet-stream']);
    expect(isProgram(path)).toBe(false);
  },
);

test.each(['setup.exe', 'a/INSTALL.SH', 'a.js.bat', 'a.msi'])('%s is a program', (path) => {
  expect([faultOf(path), isProgram(path)]).toEqual([undefined, true]);
});

test('a package that unpacks to more than 256 MiB is rejected', () => {
  const files = Array.from({ length: 9 }, (_, index) =>
    file(`${index}.mp4`, { sizeBytes: 30 * MIB, packedBytes: MIB }),
  );
  expect(findEntriesFault(files)).toContain('256 MiB');
  expect(findEntriesFault(files.slice(1))).toBeUndefined();
});

test('ten thousand files are accepted, and one more is rejected', () => {
  const files = Array.from({ length: 10_000 }, (_, index) => file(`${index}.html`));
  expect(findEntriesFault(files)).toBeUndefined();
  expect(findEntriesFault([...files, file('more.html')])).toContain('10000');
});

test('two files of the same name are rejected, even in another case or Unicode form', () => {
  expect(faultOf('INDEX.html')).toContain('“index.html” and “INDEX.html”');
  expect(faultOf('index.html')).toContain('two files');
  expect(findEntriesFault([file('\u00e9.html'), file('e\u0301.html')])).toContain('two files');
});

test('folders and system files do not count as files, but their names are checked', () => {
  expect(findEntriesFault([file('a/', { fileType: 0o04 }), file('__MACOSX/._a'), file('x/.DS_Store')])).toBe(
    'has no files',
  );
  expect(faultOf('__MACOSX/../../x')).toContain('points outside');
  expect(faultOf('../')).toContain('points outside');
});

test('overlapping files are detected', () => {
  expect(
    doOverlap([
      { offset: 100, packedBytes: 50 },
      { offset: 30, packedBytes: 70 },
    ]),
  ).toBe(false);
  expect(
    doOverlap([
      { offset: 100, packedBytes: 50 },
      { offset: 30, packedBytes: 71 },
    ]),
  ).toBe(true);
  expect(
    doOverlap([
      { offset: 100, packedBytes: 50 },
      { offset: 100, packedBytes: 0 },
    ]),
  ).toBe(false);
});

test('the content type follows from the extension, in any case', () => {
  expect(['a.HTML', 'a.min.js', 'b.svg'].map(getContentType)).toEqual([
    'text/html',
    'text/javascript',
    'image/svg+xml',
  ]);
});

test('quoted truncates a name and replaces control characters', () => {
  expect(quoted(`a\u0007${'x'.repeat(200)}`)).toBe(`“a\ufffd${'x'.repeat(98)}…”`);
});
