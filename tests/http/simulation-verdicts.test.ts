/** @jest-environment-options {"SIMULATION_SENDER_DOMAINS": "parcels.example", "TRUSTED_PROXY_HOPS": "1"} */
import { get } from '../support/client.ts';
import { askPage } from '../support/learner.ts';
import {
  CHROME,
  forgetSimulations,
  type MailedSimulation,
  makeMailedSimulation,
  nonceIn,
  recorded,
  recordInteraction,
} from '../support/own-simulations.ts';

// The corpus of tests/rules/interaction-rules.test.ts, through mailed links.
let simulation: MailedSimulation;
beforeEach(async () => (simulation = await makeMailedSimulation([1, 2, 3])));
afterEach(forgetSimulations);

type Recipient = 1 | 2 | 3;
const from = (agent = CHROME) => ({ 'x-forwarded-for': '198.51.100.7', 'user-agent': agent });
const follow = (number: Recipient, more = '', method = 'GET', agent = CHROME) =>
  askPage(simulation.linkOf(number) + more, { method, headers: from(agent) });
const touch = async (number: Recipient) => {
  const { html } = await follow(number);
  const headers = { ...from(), 'x-form-token': nonceIn(html) };
  await askPage(`${simulation.linkOf(number)}/input`, { method: 'POST', headers });
};
const load = async (number: Recipient, sign = 'loaded') => {
  const { html } = await follow(number);
  const headers = { ...from(), 'x-form-token': nonceIn(html) };
  const { status } = await askPage(`${simulation.linkOf(number)}/${sign}`, { method: 'POST', headers });
  expect(status).toBe(204);
};
const HEADLESS = CHROME.replace('Chrome', 'HeadlessChrome');

const corpus: [string, number, () => Promise<unknown>, string, string[]][] = [
  ['a gateway that follows the link immediately', 1, () => follow(1), 'automated', ['seconds_after_delivery']],
  ['a gateway that sends a HEAD request first', 30, () => follow(1, '', 'HEAD'), 'automated', ['head_request']],
  ['a script', 300, () => follow(1, '', 'GET', 'python-requests/2.32'), 'automated', ['robot']],
  ['a headless browser', 300, () => follow(1, '', 'GET', HEADLESS), 'automated', ['robot']],
  ['a follower of the hidden link', 300, () => follow(1, '/more'), 'automated', ['hidden_link']],
  ['a person who clicks within seconds', 3, () => touch(1), 'human', ['input']],
  ['a person who reads first', 95, () => load(1), 'human', ['unhurried']],
  ['a bare request with the user agent of a browser', 95, () => follow(1), 'unsure', ['page_not_loaded']],
  ['a browser that loads no style sheet', 95, () => load(1, 'script'), 'unsure', ['page_not_loaded']],
  ['a click half a minute after delivery', 30, () => load(1), 'unsure', ['soon_after_delivery']],
  ['an image loaded by a proxy', 2, () => follow(1, '/picture.gif'), 'automated', ['seconds_after_delivery']],
  ['an opening', 600, () => follow(1, '/picture.gif'), 'unsure', []],
];

test.each(corpus)('%s', async (_case, secondsAgo, act, verdict, reasons) => {
  await recordInteraction(simulation, 'sent', secondsAgo, 1);
  await act();
  expect((await recorded(simulation)).at(-1)).toMatchObject({ verdict, reasons });
});

test('a click on a message without a known sending is unsure', async () => {
  await follow(1);
  expect(await recorded(simulation)).toMatchObject([{ verdict: 'unsure', reasons: ['page_not_loaded'] }]);
});

test('a bare request counts as soon as the same browser has loaded the page', async () => {
  await recordInteraction(simulation, 'sent', 95, 1);
  await follow(1);
  const visits = async () => {
    const { recipients } = (await get(`/simulations/${simulation.id}?outcome=visited`)).body.data;
    return recipients.length as number;
  };
  expect(await visits()).toBe(0);
  await load(1);
  expect(await visits()).toBe(1);
  // The two requests for the page are one event only if both are in the same ten seconds.
  const events = await recorded(simulation);
  expect(events.length).toBeGreaterThanOrEqual(2);
  expect(events).toMatchObject(events.map(() => ({ verdict: 'human' })));
});

test('a visit by the mail team after a report is automated', async () => {
  await recordInteraction(simulation, 'sent', 700, 1);
  await recordInteraction(simulation, 'reported', 300, 1);
  await follow(1);
  expect(await recorded(simulation)).toMatchObject([{ verdict: 'automated', reasons: ['after_own_report'] }]);
});

test("among visits of a scanner, only the person's click counts", async () => {
  for (const number of [1, 2, 3] as const) await recordInteraction(simulation, 'sent', 300, number);
  await touch(2);
  await Promise.all([follow(1), follow(3)]);
  const { recipients } = (await get(`/simulations/${simulation.id}`)).body.data;
  expect(recipients.map(({ visit }: { visit: string | null }) => visit !== null)).toEqual([false, true, false]);
});
