import { get, send } from '../../support/client.ts';
import { sourceId } from '../../support/world-sources.ts';
import recordings from './gophish-0.12.1.json' with { type: 'json' };

// Unmodified deliveries of one campaign by GoPhish 0.12.1, signed with the secret of the source. The campaign was
// sent to two learners and to a stranger. One learner opened the message, followed its link and submitted the form;
// the other reported the message.

afterEach(() => testService.query('delete from simulations where external_id is not null'));

async function replay({ signature, body }: (typeof recordings)[number]): Promise<string> {
  const headers = { 'content-type': 'application/json', 'x-gophish-signature': signature };
  const answer = await send('POST', `/sources/${sourceId('tenant', 'gophish')}/gophish`, { body, headers });
  expect(answer.status).toBe(200);
  return answer.body.data.outcome as string;
}

async function record(): Promise<unknown> {
  const list = (await get('/simulations')).body.data;
  const { id } = list.find(({ externalId }: { externalId: string | null }) => externalId !== null);
  const { recipients, timeline } = (await get(`/simulations/${id}`)).body.data;
  return { timeline, recipients: recipients.map(({ id: _, ...recipient }: { id: string }) => recipient) };
}

test('the deliveries of a campaign give the same results in any order', async () => {
  const outcomes: string[] = [];
  for (const delivery of recordings) outcomes.push(await replay(delivery));
  expect(outcomes).toEqual([
    // Deliveries of the webhook's test and of the campaign's creation.
    ...['ignored', 'ignored'],
    ...['recorded', 'recorded', 'refused'],
    ...['recorded', 'recorded', 'recorded', 'recorded'],
  ]);
  const once = await record();
  expect(once).toMatchObject({
    recipients: [
      {
        learner: { email: 'learner1@tenant.test' },
        sent: '2026-11-23T14:44:11.419Z',
        open: '2026-11-23T14:44:20.393Z',
        visit: '2026-11-23T14:44:20.466Z',
        compromise: '2026-11-23T14:44:20.943Z',
        report: null,
      },
      { learner: { email: 'learner2@tenant.test' }, visit: null, report: '2026-11-23T14:44:21.163Z' },
    ],
  });
  await testService.query('delete from simulations where external_id is not null');
  for (const delivery of recordings.toReversed()) await replay(delivery);
  expect(await record()).toEqual(once);
});
