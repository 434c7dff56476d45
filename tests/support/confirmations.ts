import { type Admin, hiddenOf } from './admin.ts';
import type { Authenticator } from './authenticator.ts';
import { askPage, type Page } from './learner.ts';

const PATH = '/console/confirm/passkey';

/** Makes the last proof of each session older than ten minutes. */
export async function ageProofs(): Promise<void> {
  await testService.query(`update person_sessions set proved_at = now() - interval '11 minutes'`);
}

/** Reports whether a page asks to confirm who the admin is. */
export function asksToConfirm({ status, html }: Page): boolean {
  return status === 403 && html.includes('name="confirm_path"');
}

/** Confirms with a passkey on the page that asks for it, as the page's script does. */
export async function confirmByPasskey(admin: Admin, page: Page, device: Authenticator): Promise<Page> {
  const { form_token } = hiddenOf(page.html);
  const headers = { cookie: admin.cookie, 'x-form-token': form_token! };
  const options = await askPage(`${PATH}/options`, { method: 'POST', headers });
  const response = JSON.stringify(device.show(JSON.parse(options.html) as { challenge: string }));
  return admin.send(PATH, { form_token: form_token!, response });
}

/** Sends the form of a page that asks to confirm, as its button does. */
export function continueForm(admin: Admin, { html }: Page, to?: string): Promise<Page> {
  const form = html.slice(html.lastIndexOf('<form'));
  const action = /action="([^"]+)"/.exec(form)![1]!;
  const fields = [...form.matchAll(/<input type="hidden" name="([^"]+)" value(?:="([^"]*)")?/g)];
  return admin.send(
    to ?? action,
    fields.map(([, name, value]): [string, string] => [
      name!,
      (value ?? '').replaceAll('&quot;', '"').replaceAll('&amp;', '&'),
    ]),
  );
}
