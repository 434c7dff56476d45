import { extractText, getDocumentProxy } from 'unpdf';
import { expectError, get, patch } from '../../support/client.ts';
import { type KeyName, keys, learnerId } from '../../support/world.ts';

/** Reads the report as a client does, and returns its bytes, headers, and the text of each page. */
async function read(query = '', key: KeyName = 'tenant') {
  const { status, headers, body } = await fetchReport(query, key);
  expect(status).toBe(200);
  const document = await getDocumentProxy(body.slice());
  const { text } = await extractText(document);
  return { headers, pages: text, document };
}

async function fetchReport(query: string, key: KeyName) {
  const headers = { authorization: `Bearer ${keys[key]}` };
  const response = await fetch(`${testService.url}/v1/reports/board${query}`, { headers });
  return { status: response.status, headers: response.headers, body: new Uint8Array(await response.arrayBuffer()) };
}

test('is a tagged PDF of four pages with text, a title and a language', async () => {
  const { headers, pages, document } = await read();
  expect(headers.get('content-type')).toBe('application/pdf');
  expect(headers.get('content-disposition')).toMatch(/^attachment; filename="security-awareness-\d{4}-\d\d-\d\d\.pdf"/);
  const titles = ['Where we stand', 'What has changed', 'Who is overdue', 'What comes next'];
  expect(pages).toHaveLength(titles.length);
  titles.forEach((title, index) => expect(pages[index]).toContain(title));
  expect(pages[0]).toContain('The tenant company');
  const { info } = await document.getMetadata();
  expect(info).toMatchObject({ Title: 'Security awareness report: The tenant company', Language: 'en' });
  expect(await document.getMarkInfo()).toMatchObject({ Marked: true });
});

test.each([
  ['de', 'Wo wir stehen'],
  ['fr', 'Où nous en sommes'],
])('is in %s on request', async (language, title) => {
  expect((await read(`?language=${language}&period=month`)).pages[0]).toContain(title);
});

test('shows departments with their overdue figures, without names of learners', async () => {
  await patch(`/learners/${learnerId('tenant', 4)}`, { firstName: 'Edsger', lastName: 'tenant', department: 'Vault' });
  const { pages } = await read();
  expect(pages[0]).toContain('Vault');
  expect(pages[2]).toMatch(/Vault.*1 of 1/s);
  expect(pages.join(' ')).not.toContain('Edsger');
});

test('hides the mean risk of too few people', async () => {
  expect((await get('/reports/groups')).body.data.company.averageRiskScore).toBeNull();
  expect((await read()).pages[0]).toContain('not shown');
});

test('an unknown language or period returns 400', async () => {
  for (const query of ['?language=it', '?period=year'])
    expectError(await get(`/reports/board${query}`), 400, 'invalid_request');
});
