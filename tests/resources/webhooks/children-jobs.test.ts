/** @jest-environment-options {"WEBHOOKS_ALLOW_LOOPBACK": "yes"} */
import { post } from '../../support/client.ts';
import { companies, type CompanyName, type KeyName } from '../../support/world.ts';
import { startReceiver } from './receiver.ts';

let receiver: Awaited<ReturnType<typeof startReceiver>>;
beforeAll(async () => (receiver = await startReceiver()));
afterAll(() => receiver.stop());

let number = 0;
const newGroup = async (company: CompanyName & KeyName) =>
  (await post('/groups', { name: `Of a child ${(number += 1)}` }, company)).body.data.id as string;

test('an MSP endpoint gets the events of its children, audited for each child, until a child leaves', async () => {
  const endpoint = await receiver.make({ children: true, types: ['group.created'] }, 'msp');
  const made = async () => {
    const groups = new Map<string, string>();
    for (const company of ['childA', 'msp', 'other', 'directChild', 'childB'] as const)
      groups.set(await newGroup(company), company);
    const events = await receiver.eventsOf(endpoint);
    return events.map(([, { groupId }]) => groups.get(groupId!));
  };
  expect(await made()).toEqual(['childA', 'childB']);
  const entered = `select company_id from audit_log where operation = 'deliverWebhooks' and actor_id = $1 order by 1`;
  const readOf = (await testService.query(entered, [endpoint.id])).map((entry) => entry.company_id);
  expect(readOf).toEqual([companies.childA, companies.childB].toSorted());
  // Events that wait when the child leaves are not sent either.
  await newGroup('childA');
  const leave = `update companies set parent_id = null where id = $1`;
  await testService.query(leave, [companies.childA]);
  expect(await made()).toEqual(['childB']);
});
