/** @jest-environment node */
import { withClient } from '../../src/pages/learn/packages/package-files.ts';

const CLIENT = '/packages/client.js?scorm_1_2';
const place = (page: string, isXml = false) =>
  withClient(Buffer.from(page, 'latin1'), CLIENT, isXml)
    .toString('latin1')
    .replace(/<script src="\/packages\/[^<]*<\/script>/, '|');

test.each([
  [
    '<!doctype html><html lang="de"><head data-a="1"><script>',
    '<!doctype html><html lang="de"><head data-a="1">|<script>',
  ],
  ['<HTML><BODY>', '<HTML>|<BODY>'],
  ['<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN"><p>', '<!DOCTYPE HTML PUBLIC "-//W3C//DTD HTML 4.01//EN">|<p>'],
  ['<header>', '|<header>'],
  ['\xe4', '|\xe4'],
  ['', '|'],
])('the client comes first in %j', (page, expected) => expect(place(page)).toBe(expected));

test('a page of unterminated tags gets the client at its start, in linear time', () => {
  const page = '<head'.repeat(2_000_000);
  expect(place(page)).toBe(`|${page}`);
});

test.each([
  ['<?xml version="1.0"?><html xmlns="x"><head/>', '<?xml version="1.0"?><html xmlns="x"><head/>'],
  ['<?xml version="1.0"?><html><head><title/>', '<?xml version="1.0"?><html><head>|<title/>'],
])('the client comes into the head of XHTML: %j', (page, expected) => expect(place(page, true)).toBe(expected));

test('a page in UTF-16 is left unchanged', () => {
  const page = Buffer.concat([Buffer.from([0xff, 0xfe]), Buffer.from('<html>', 'utf16le')]);
  expect(withClient(page, CLIENT)).toBe(page);
});
