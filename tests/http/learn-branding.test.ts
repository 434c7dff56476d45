/** @jest-environment-options {"SIMULATION_SENDER_DOMAINS": "parcel-desk.test"} */
import { patch } from '../support/client.ts';
import { askPage, Learner } from '../support/learner.ts';
import { CHROME, forgetSimulations, makeMailedSimulation } from '../support/own-simulations.ts';
import { png } from '../support/pictures.ts';

const logo = png(240, 60).toString('base64');
let style: string;

beforeAll(async () => {
  const { body } = await patch('/company/branding', { name: 'Acme', color: '#8b0000', logo });
  style = (body.data.logo.url as string).replace(/logo$/, 'style.css');
});
afterAll(async () => {
  await forgetSimulations();
  await testService.query('delete from company_settings');
});

test("the learner pages show the name, the logo and the colour of only the learner's company", async () => {
  const { html, headers } = await (await Learner.of('tenant', 1)).get('/learn');
  expect(html).toContain(`href="${style}"`);
  expect(html).toMatch(/<img class="logo" src="\/brand\/[^"]+\/logo" width="192" height="48" alt/);
  expect(html).toContain('Acme');
  // The files are on the service's own origin, so the pages' Content-Security-Policy does not change.
  expect(headers.get('content-security-policy')).toContain(`style-src 'self'; img-src 'self'`);
  const other = (await (await Learner.of('other', 1)).get('/learn')).html;
  expect(other).not.toMatch(/Acme|\/brand\//);
});

test("the landing page of a simulation shows the company's branding", async () => {
  const simulation = await makeMailedSimulation([1]);
  const { html } = await askPage(simulation.linkOf(1), { headers: { 'user-agent': CHROME } });
  expect(html).toContain(`href="${style}"`);
  expect(html).toContain('class="logo"');
  expect(html).toContain('Acme');
});

test('buttons have the colour of the style sheet', async () => {
  const css = await (await fetch(`${testService.url}${style}`)).text();
  expect(css).toBe(':root {\n  --brand: #8b0000;\n}\n');
});
