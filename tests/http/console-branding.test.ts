/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "0", "RATE_LIMIT_PER_MINUTE": "0"} */
import { Admin } from '../support/admin.ts';
import { get } from '../support/client.ts';
import { png } from '../support/pictures.ts';

const PATH = '/console/branding';
const read = async () => (await get('/company/branding')).body.data;

let admin: Admin;
beforeEach(async () => {
  admin = await Admin.of('tenant');
});
afterEach(() => testService.query('delete from company_settings'));

const file = (bytes: Buffer) => ({ name: 'logo.png', bytes, type: 'image/png' });

test('saves the branding with a logo, shows it, and clears emptied fields', async () => {
  const entered = { name: 'Acme', color: '#8b0000', replyTo: 'security@tenant.test' };
  const saved = await admin.upload(PATH, entered, file(png(240, 60)));
  expect(saved.headers.get('location')).toBe(`${PATH}?notice=saved`);
  expect(await read()).toMatchObject({ ...entered, logo: { width: 240 } });
  const { html } = await admin.get(`${PATH}?notice=saved`);
  for (const text of ['value="Acme"', 'value="#8b0000"', '/logo"']) expect(html).toContain(text);
  await admin.upload(PATH, { name: '', color: '', replyTo: '', removeLogo: 'yes' });
  expect(await read()).toEqual({ name: null, color: null, replyTo: null, logo: null });
});

test('shows errors next to their fields, and changes nothing', async () => {
  const rejected = await admin.upload(PATH, { name: 'Acme', color: '#cccccc', replyTo: '' });
  expect(rejected.status).toBe(400);
  expect(rejected.html).toContain('its contrast with white');
  expect(rejected.html).toContain('value="Acme"');
  const svg = await admin.upload(PATH, { name: '', color: '', replyTo: '' }, file(Buffer.from('<svg/>')));
  expect(svg.html).toContain('Please choose a PNG, JPEG or WebP picture');
  const large = await admin.upload(PATH, { name: '', color: '', replyTo: '' }, file(Buffer.alloc(100_000)));
  expect(large.html).toContain('Please choose a PNG, JPEG or WebP picture');
  expect(await read()).toMatchObject({ name: null, logo: null });
});
