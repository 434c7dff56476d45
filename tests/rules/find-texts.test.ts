import { createFindTexts } from '../../src/resources/simulations/settings/find-texts.ts';
import { type DnsReply, DnsServer } from '../../scripts/demo/dns-server.ts';

const server = new DnsServer();

beforeAll(() => server.start());
afterAll(() => server.stop());

async function find(answer: DnsReply | undefined): Promise<string[] | undefined> {
  if (answer) server.answers.set('name.test', answer);
  else server.answers.delete('name.test');
  return createFindTexts([server.place])('name.test');
}

test('a record in several parts is returned as one string', async () => {
  expect(await find(['one', ['in ', 'three ', 'parts']])).toEqual(['one', 'in three parts']);
});

test('a name without TXT records returns no strings', async () => {
  expect(await find(undefined)).toEqual([]);
});

test('a deleted record is not returned from a cache', async () => {
  expect(await find(['here'])).toEqual(['here']);
  expect(await find(undefined)).toEqual([]);
});

test('a server failure returns undefined', async () => {
  expect(await find('servfail')).toBeUndefined();
});

test('a silent server returns undefined after about three seconds', async () => {
  const start = performance.now();
  expect(await find('silence')).toBeUndefined();
  expect(performance.now() - start).toBeLessThan(4500);
});
