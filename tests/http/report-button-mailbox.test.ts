/** @jest-environment-options {"REPORT_MAILBOX_URL": "imap://reports%40awareness.test:x@127.0.0.1:1/INBOX"} */
import { call, expectError, get, patch } from '../support/client.ts';
import { disableButtons, PATH } from '../support/report-button.ts';

// The operator's mailbox for reports leaves emails that are forwarded to it for manual review, so the company would not
// get them.

const MAILBOX = 'reports@awareness.test';
const put = (body: object) => call('tenant', 'PUT', PATH, { body });

afterEach(() => disableButtons('tenant'));

test("the operator's mailbox for reports is rejected as the address that emails are forwarded to", async () => {
  const refused = await put({ enabled: true, forwardTo: 'Reports@Awareness.test' });
  expectError(refused, 400, 'invalid_request');
  expect(refused.body.error!.details).toMatchObject([{ field: 'body/forwardTo' }]);
  await patch('/company/settings', { reporting: { address: MAILBOX } });
  expectError(await put({ enabled: true }), 400, 'invalid_request');
  expect((await get(PATH)).body.data.enabled).toBe(false);
  expect((await put({ enabled: true, forwardTo: 'soc@tenant.test' })).status).toBe(200);
});
