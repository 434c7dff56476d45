import { Authenticator } from './authenticator.ts';
import { type Admin, hiddenOf } from './admin.ts';
import { askPage, type Page } from './learner.ts';

/** The origin that tests with passkeys give the service. */
export const ORIGIN = 'https://console.test';
const PATH = '/console/passkeys';
const ENTRANCE = '/console/passkey-sign-in';

type Options = Parameters<Authenticator['create']>[0];

/** Requests the options for a new passkey, as the page's script does. */
export async function passkeyOptions(admin: Admin): Promise<Options> {
  const { form_token } = hiddenOf((await admin.get(PATH)).html);
  const headers = { cookie: admin.cookie, 'x-form-token': form_token! };
  const page = await askPage(`${PATH}/options`, { method: 'POST', headers });
  expect(page.status).toBe(200);
  return JSON.parse(page.html) as Options;
}

/** Adds a passkey and returns the device that has it. */
export async function addPasskey(admin: Admin, name = 'Laptop'): Promise<Authenticator> {
  const device = new Authenticator(ORIGIN);
  const response = JSON.stringify(device.create(await passkeyOptions(admin)));
  const page = await admin.post(PATH, { name, response });
  expect([page.status, page.headers.get('location')]).toEqual([303, PATH]);
  return device;
}

/** Requests a challenge for a sign-in. */
export async function passkeyChallenge(): Promise<{ challenge: string }> {
  return JSON.parse((await askPage(`${ENTRANCE}/options`, { method: 'POST' })).html) as { challenge: string };
}

/** Submits a device's response at the sign-in. */
export function showPasskey(response: unknown, headers = {}): Promise<Page> {
  const body = new URLSearchParams({ response: JSON.stringify(response) });
  return askPage(ENTRANCE, { method: 'POST', body, headers });
}
