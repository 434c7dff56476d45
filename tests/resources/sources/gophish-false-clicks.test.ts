import { get } from '../../support/client.ts';
import { deliver, event } from './deliveries.ts';

// Reports of false clicks from the issues of GoPhish, which sends only the address and the user agent of a click.

afterEach(() => testService.query('delete from simulations where external_id is not null'));

const CHROME =
  'Mozilla/5.0 (Windows NT 10.0; Win64; x64) AppleWebKit/537.36 (KHTML, like Gecko) Chrome/126.0.0.0 Safari/537.36';
const SENT = Date.parse('2026-11-20T09:00:02.500Z');
const tell = (message: string, seconds: number, address = '203.0.113.44', agent = CHROME) =>
  deliver(
    event(message, {
      time: new Date(SENT + seconds * 1000).toISOString(),
      details: JSON.stringify({ browser: { address, 'user-agent': agent } }),
    }),
  );

async function outcome(): Promise<{ visit: string | null; clicks: object[] }> {
  const simulations: { id: string; externalId: string | null }[] = (await get('/simulations')).body.data;
  const { id } = simulations.find(({ externalId }) => externalId !== null)!;
  const [{ visit }] = (await get(`/simulations/${id}`)).body.data.recipients;
  return { visit, clicks: (await get(`/simulations/${id}/interactions`)).body.data };
}

test.each<[string, () => Promise<unknown>, object]>([
  [
    'gophish#2446: a cloud address with an old Chrome, 20 s after delivery',
    () => tell('Clicked Link', 20, '40.94.2.7', CHROME.replace('126', '80')),
    { verdict: 'unsure', reasons: ['cloud_address', 'soon_after_delivery'] },
  ],
  [
    "gophish#3317: Outlook's report opens the link a minute before GoPhish receives the report",
    async () => {
      await tell('Clicked Link', 300);
      await tell('Email Reported', 360);
    },
    { verdict: 'unsure', reasons: ['before_own_report'] },
  ],
  [
    'gophish#2853: a ticket system opens the link of a forwarded copy',
    () => tell('Clicked Link', 600, '203.0.113.44', 'Zendesk/External-Content'),
    { verdict: 'automated', reasons: ['robot'] },
  ],
  [
    'gophish#2938: a cloud address, 90 s after delivery',
    () => tell('Clicked Link', 90, '34.90.12.7'),
    { verdict: 'unsure', reasons: ['cloud_address'] },
  ],
  [
    'Internet Explorer 8 on Windows XP',
    () => tell('Clicked Link', 600, '203.0.113.44', 'Mozilla/4.0 (compatible; MSIE 8.0; Windows NT 5.1; Trident/4.0)'),
    { verdict: 'automated', reasons: ['dead_browser'] },
  ],
])('%s does not count as a visit, and the reasons are shown', async (_case, act, judgement) => {
  await tell('Email Sent', 0);
  await act();
  expect(await outcome()).toMatchObject({ visit: null, clicks: [{ ...judgement, counted: false }] });
});

test('an unhurried click counts, and a hurried one counts once the person submits data', async () => {
  await tell('Email Sent', 0);
  await tell('Clicked Link', 95);
  expect(await outcome()).toMatchObject({ clicks: [{ verdict: 'human', reasons: ['unhurried'], counted: true }] });
  await testService.query('delete from simulations where external_id is not null');
  await tell('Email Sent', 0);
  await tell('Clicked Link', 20);
  expect((await outcome()).visit).toBeNull();
  await tell('Submitted Data', 40);
  expect((await outcome()).visit).toBe('2026-11-20T09:00:22.500Z');
});
