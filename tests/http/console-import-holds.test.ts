/** @jest-environment-options {"RATE_LIMIT_PER_MINUTE": "0"} */
import { Admin } from '../support/admin.ts';
import { get } from '../support/client.ts';
import { askPage, type Page } from '../support/learner.ts';
import { bestHoldsMs, longestHoldMs } from '../support/loop-holds.ts';
import { companies } from '../support/world.ts';

const PATH = '/console/people/imports';
const ROWS = 10_000;
const MAX_HOLD_MS = 50;
const HEAD = 'Email;Vorname;Nachname;Abteilung;Personalnummer;Position;Manager;Land;Standort;Sprache';

/** Makes a table of people, whose addresses begin with `letter`; a prefix changes their first names. */
function tableOf(letter: string, prefix: string): string {
  const rows = Array.from({ length: ROWS }, (_, n) =>
    [
      ...[
        `${letter}${n}@new.test`,
        `${prefix}Ada ${n}`,
        `King ${n}`,
        `Sales ${n % 50}`,
        `${letter}${n}`,
        `Post ${n % 200}`,
      ],
      ...[`${letter}${(n + 1) % 100}@new.test`, 'DE', `Bern ${n % 30}`, 'de'],
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
  const holds: Record<string, number> = {};
  const measure = async (part: string, work: () => Promise<Page>): Promise<string> => {
    let page: Page | undefined;
    holds[part] = await longestHoldMs(async () => (page = await work()));
    expect({ part, status: page!.status }).toEqual({ part, status: 303 });
    return page!.headers.get('location')!;
  };
  const send = async (part: string, path: string, form: string) => {
    const fields = fieldsOf((await owner.get(path)).html, `${path}/${form}`);
    return measure(`${part}: ${form}`, () => owner.send(`${path}/${form}`, fields));
  };
  const upload = async (part: string, table: string) => {
    const body = new FormData();
    for (const [name, value] of fieldsOf((await owner.get(PATH)).html, PATH)) body.set(name, value);
    body.set('file', new Blob([table]), 'people.csv');
    const headers = { cookie: owner.cookie };
    return measure(`${part}: upload`, () => askPage(PATH, { method: 'POST', body, headers }));
  };
  const best = await bestHoldsMs(MAX_HOLD_MS, async (round) => {
    const letter = 'pqrst'[round]!;
    await send('new', await upload('new', tableOf(letter, '')), 'apply');
    expect((await get(`/learners?email=${letter}1@new.test`)).body.data).toHaveLength(1);
    const change = await upload('changed', tableOf(letter, 'Dr. '));
    await send('changed', change, 'apply');
    await send('changed', change, 'undo');
    return holds;
  });
  expect(Object.entries(best).filter(([, ms]) => ms >= MAX_HOLD_MS)).toEqual([]);
}, 600_000);
