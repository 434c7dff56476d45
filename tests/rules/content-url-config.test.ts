/** @jest-environment node */
import { readConfig } from '../../src/config/config.ts';
import { toContentUrl } from '../../scripts/demo/readiness.ts';

const read = (settings: Record<string, string>) =>
  readConfig({ ROLES: 'api', PUBLIC_URL: 'https://awareness.example.org', ...settings }).contentHost;

test.each([
  ['https://content.example', 'https:', 'content.example', false],
  ['https://*.content.example', 'https:', 'content.example', true],
  ['https://*.Content.Example:8443/', 'https:', 'content.example:8443', true],
  ['https://content.example:443', 'https:', 'content.example', false],
])('CONTENT_URL=%s is read', (value, protocol, host, isWildcard) => {
  expect(read({ CONTENT_URL: value })).toEqual({ protocol, host, isWildcard });
});

test.each([
  ['https://awareness.example.org', 'host of PUBLIC_URL'],
  ['https://awareness.example.org:8443', 'host of PUBLIC_URL'],
  ['https://*.awareness.example.org', 'above or below'],
  ['https://content.awareness.example.org', 'above or below'],
  ['https://*.example.org', 'above or below'],
  ['http://content.example', 'https://'],
  ['https://content.example/path', 'must be an origin'],
  ['https://content.*.example', 'must be an origin'],
  ['https://user@content.example', 'must be an origin'],
  ['https://content.example.', 'must be an origin'],
  ['https://*.192.0.2.1', 'must be an origin'],
  ['ftp://content.example', 'must be an origin'],
  ['content.example', 'must be an origin'],
])('CONTENT_URL=%s is rejected', (value, message) => {
  expect(() => read({ CONTENT_URL: value })).toThrow(message);
});

test('a full stop after PUBLIC_URL does not make it another host', () => {
  const settings = { PUBLIC_URL: 'https://awareness.example.org.', CONTENT_URL: 'https://awareness.example.org' };
  expect(() => read(settings)).toThrow('host of PUBLIC_URL');
});

test('CONTENT_URL is optional', () => {
  expect(read({})).toBeUndefined();
  expect(read({ CONTENT_URL: '' })).toBeUndefined();
});

test.each([
  ['http://127.0.0.1:3000', 'http://localhost:3000'],
  ['http://localhost:3000', 'http://127.0.0.1:3000'],
  ['http://[::1]:3000', 'http://localhost:3000'],
])('the demo at %s plays packages at %s', (PUBLIC_URL, CONTENT_URL) => {
  expect(toContentUrl(PUBLIC_URL)).toBe(CONTENT_URL);
  expect(readConfig({ PUBLIC_URL, CONTENT_URL }).contentHost?.isWildcard).toBe(false);
});
