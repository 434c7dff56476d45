/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { Admin } from '../support/admin.ts';
import { get } from '../support/client.ts';
import { askPage, type Page } from '../support/learner.ts';
import { longestHoldMs } from '../support/loop-holds.ts';
import { companies } from '../support/world.ts';

const PATH = '/console/people/imports';
const ROWS = 10_000;
const MAX_HOLD_MS = 50;
const HEAD = 'Email;Vorname;Nachname;Abteilung;Personalnummer;Position;Manager;Land;Standort;Sprache';

/** Makes a table of people; a prefix changes their first names. */
function tableOf(prefix: string): string {
  const rows = Array.from({ length: ROWS }, (_, n) =>
    [
      ...[`p${n}@new.test`, `${prefix}Ada ${n}`, `King ${n}`, `Sales ${n % 50}`, `N${n}`, `Post ${n % 200}`],
      ...[`p${(n + 1) % 100}@new.test`, 'DE', `Bern ${n % 30}`, 'de'],
    ].join(';'),
  );
  return [HEAD, ...rows].join('\n');
}

/** Returns the hidden fields of the form that is sent to a path. */
function fieldsOf(html: string, action: string): [string, string][] {
  const form = html.split('<form').find((one) => one.includes(`action="${action}"`)) ?? '';
  const found = [...form.split('</form>')[0]!.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g)];
  return found.map(([, name, value]) => [name!, value!]);
}

test('importing 10,000 people and undoing it never holds the event loop for 50 ms', async () => {
  await testService.query('update companies set learner_limit = null where id = $1', [companies.tenant]);
  const owner = await Admin.of('tenant', 1);
  const holds: [string, number][] = [];
  const measure = async (name: string, work: () => Promise<Page>): Promise<string> => {
    let page: Page | undefined;
    holds.push([name, await longestHoldMs(async () => (page = await work()))]);
    expect({ name, status: page!.status }).toEqual({ name, status: 303 });
    return page!.headers.get('location')!;
  };
  const send = async (path: string, form: string) => {
    const fields = fieldsOf((await owner.get(path)).html, `${path}/${form}`);
    return measure(form, () => owner.send(`${path}/${form}`, fields));
  };
  for (const prefix of ['', 'Dr. ']) {
    const body = new FormData();
    for (const [name, value] of fieldsOf((await owner.get(PATH)).html, PATH)) body.set(name, value);
    body.set('file', new Blob([tableOf(prefix)]), 'people.csv');
    const path = await measure('upload', () =>
      askPage(PATH, { method: 'POST', body, headers: { cookie: owner.cookie } }),
    );
    await send(path, 'apply');
    if (prefix === '') expect((await get('/learners?email=p1@new.test')).body.data).toHaveLength(1);
    else await send(path, 'undo');
  }
  expect(holds.filter(([, ms]) => ms >= MAX_HOLD_MS)).toEqual([]);
}, 600_000);
