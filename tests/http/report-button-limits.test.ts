/** @jest-environment-options {"AUTH_FAILURES_PER_MINUTE": "1", "RATE_LIMIT_PER_MINUTE": "8"} */
import { disableButtons, enableButton, FORWARD_TO, mailWith, report } from '../support/report-button.ts';

afterAll(() => disableButtons('tenant', 'other'));

test('reports are limited per company and per network, and a rejected report says what to do instead', async () => {
  const mail = mailWith('Your password: https://attack.test/');
  const [button, other] = [await enableButton(), await enableButton('other')];
  for (let count = 0; count < 8; count++) expect((await report(button, mail)).status).toBe(502);
  const { status, headers, body } = await report(button, mail);
  expect({ status, outcome: body.outcome }).toEqual({ status: 429, outcome: 'failed' });
  expect(Number(headers.get('retry-after'))).toBeGreaterThan(0);
  expect(body.text).toContain(FORWARD_TO);
  // The tenth report of this network, by another company.
  expect((await report(other, mail)).status).toBe(502);
  expect((await report(other, mail)).status).toBe(429);
});

test('unknown tokens are limited', async () => {
  const unknown = `/report-button/${'a'.repeat(64)}`;
  expect((await report(unknown, mailWith('x'))).status).toBe(404);
  expect((await report(unknown, mailWith('x'))).status).toBe(429);
});
