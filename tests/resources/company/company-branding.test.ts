import { call, expectError, get, patch } from '../../support/client.ts';
import { png } from '../../support/pictures.ts';
import { companies } from '../../support/world.ts';

const PATH = '/company/branding';
const NONE = { name: null, color: null, replyTo: null, logo: null };
const logo = png(240, 60).toString('base64');

afterEach(() => testService.query('delete from company_settings'));

test('a company has no branding until it sets some, and can remove each field', async () => {
  expect((await get(PATH)).body.data).toEqual(NONE);
  const first = await patch(PATH, { name: ' Acme ', color: '#1D4ED8', replyTo: 'security@tenant.test' });
  expect(first.body.data).toEqual({ name: 'Acme', color: '#1d4ed8', replyTo: 'security@tenant.test', logo: null });
  const second = await patch(PATH, { logo, name: null });
  expect(second.body.data).toMatchObject({
    name: null,
    color: '#1d4ed8',
    logo: { mediaType: 'image/png', width: 240 },
  });
  expect((await get(PATH)).body.data).toEqual(second.body.data);
  expect((await get(PATH, 'other')).body.data).toEqual(NONE);
  expect((await patch(PATH, { color: null, replyTo: null, logo: null })).body.data).toEqual(NONE);
});

test.each([
  [{ color: '#777777' }, 'body/color'],
  [{ color: 'blue' }, 'body/color'],
  [{ logo: Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>').toString('base64') }, 'body/logo'],
  [{ logo: 'not base64' }, 'body/logo'],
  [{ name: '' }, 'body/name'],
  [{ replyTo: 'nobody' }, 'body/replyTo'],
  [{}, 'body'],
])('the branding %j returns 400', async (body, field) => {
  expectError(await patch(PATH, body), 400, 'invalid_request', [field]);
  expect((await get(PATH)).body.data).toEqual(NONE);
});

test('a change with an outdated ETag returns 412, and the settings do not change', async () => {
  await patch('/company/settings', { minGroupSize: 7 });
  const tag = (await get(PATH)).headers.get('etag')!;
  const change = (name: string) => call('tenant', 'PATCH', PATH, { body: { name }, headers: { 'if-match': tag } });
  expect((await change('One')).status).toBe(200);
  expectError(await change('Two'), 412, 'changed_meanwhile', ['header/if-match']);
  expect((await get('/company/settings')).body.data.minGroupSize).toBe(7);
});

test("a logo's URL shows it to everybody, and another logo's URL does not", async () => {
  const { url } = (await patch(PATH, { logo })).body.data.logo as { url: string };
  const found = await fetch(`${testService.url}${url}`);
  expect(found.headers.get('content-type')).toBe('image/png');
  expect(found.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
  expect(Buffer.from(await found.arrayBuffer()).toString('base64')).toBe(logo);
  for (const path of [
    `/brand/${companies.tenant}/000000000000/logo`,
    '/brand/x/y/logo',
    url.replace(companies.tenant, companies.other),
  ])
    expect((await fetch(`${testService.url}${path}`)).status).toBe(404);
});

test("the style sheet's URL returns the colour of buttons", async () => {
  const { url } = (await patch(PATH, { logo, color: '#8b0000' })).body.data.logo as { url: string };
  const found = await fetch(`${testService.url}${url.replace(/logo$/, 'style.css')}`);
  expect(found.headers.get('content-type')).toBe('text/css; charset=utf-8');
  expect(await found.text()).toContain('#8b0000');
});
