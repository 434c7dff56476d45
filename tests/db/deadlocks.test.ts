import { patch, post } from '../support/client.ts';
import { whileRowsFail } from '../support/failing-rows.ts';

test('a mutation rolled back by a deadlock is retried, with one effect', async () => {
  const url = 'https://example.test/hook';
  const { data } = (await post('/webhook-endpoints', { url })).body;
  const told = () => testService.query(`select from events where type = 'webhook_endpoint.updated'`);
  const before = (await told()).length;
  const failure = { table: 'webhook_endpoints', from: 1, only: true, code: 'deadlock_detected' };
  await whileRowsFail(failure, async () => {
    const changed = await patch(`/webhook-endpoints/${data.id}`, { types: ['group.deleted'] });
    expect(changed.body.data).toMatchObject({ types: ['group.deleted'] });
  });
  expect((await told()).length).toBe(before + 1);
});
