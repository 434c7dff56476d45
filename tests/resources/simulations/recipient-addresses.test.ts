import { del, get, patch, post } from '../../support/client.ts';
import { campaignOf, deliver, event, recorded } from '../sources/deliveries.ts';
import { openServicePool } from '../../support/service-pool.ts';
import { keys } from '../../support/world.ts';
import { at, record, useSimulation } from './event-state.ts';

useSimulation();

const OLD = 'ines.old@tenant.test';
const NEW = 'ines.new@tenant.test';
const made: string[] = [];

async function makeLearner(email: string): Promise<string> {
  const { body } = await post('/learners', { email, firstName: 'Ines', lastName: 'Moreau' });
  made.push(body.data.learnerId ?? body.data.id);
  return made.at(-1)!;
}

let ines: string;
beforeEach(async () => {
  ines = await makeLearner(OLD);
});
afterEach(async () => {
  await testService.query('delete from learners where id = any($1)', [made.splice(0)]);
});

const told = (type: string, time: string, email = OLD) => ({
  ...{ type, occurredAt: at(time), eventId: `${type}-${time}-${email}` },
  learner: { email },
});
const renameLearner = async (id: string, email: string) => {
  const { status } = await patch(`/learners/${id}`, { email, firstName: 'Ines', lastName: 'Moreau' });
  expect(status).toBe(200);
};
const renameByDirectory = (id: string, email: string) =>
  fetch(`${testService.url}/scim/v2/Users/${id}`, {
    method: 'PATCH',
    headers: { authorization: `Bearer ${keys.tenant}`, 'content-type': 'application/scim+json' },
    body: JSON.stringify({
      schemas: ['urn:ietf:params:scim:api:messages:2.0:PatchOp'],
      Operations: [{ op: 'replace', path: 'emails[type eq "work"].value', value: email }],
    }),
  });

/** Returns the time at which each learner of the simulation was compromised, by learner id. */
async function compromised(externalId = 'engine-1'): Promise<Record<string, string | null>> {
  const simulations: { id: string; externalId: string }[] = (await get('/simulations')).body.data;
  const { id } = simulations.find((one) => one.externalId === externalId)!;
  const { recipients } = (await get(`/simulations/${id}`)).body.data;
  return Object.fromEntries(
    recipients.map(({ learner, compromise }: { learner: { id: string }; compromise: string | null }) => [
      learner.id,
      compromise,
    ]),
  );
}

describe('an address in a simulation names the recipient who had it when the message was sent', () => {
  test.each<[string, (id: string) => Promise<unknown>]>([
    ['a PATCH', (id) => renameLearner(id, NEW)],
    ['a bulk PATCH', (id) => patch('/learners/bulk', { learners: [{ learner: { id }, email: NEW }] })],
    ['a directory', (id) => renameByDirectory(id, NEW)],
  ])('after a change by %s', async (_case, change) => {
    await record(told('sent', '08:00:00'));
    await change(ines);
    expect((await get(`/learners/${ines}`)).body.data.email).toBe(NEW);
    expect((await record(told('compromised', '09:00:00', 'Ines.OLD@tenant.test'))).body.data.success).toBe(true);
    expect(await compromised()).toEqual({ [ines]: at('09:00:00') });
  });

  test('when the message was only scheduled, by learner id', async () => {
    await record({ ...told('scheduled', '08:00:00'), learner: { id: ines } });
    await renameLearner(ines, NEW);
    expect((await record(told('compromised', '09:00:00'))).body.data.success).toBe(true);
    expect(await compromised()).toEqual({ [ines]: at('09:00:00') });
  });

  test('when a new learner, who is not a recipient, has the address', async () => {
    await record(told('sent', '08:00:00'));
    await renameLearner(ines, NEW);
    await makeLearner(OLD);
    await record(told('compromised', '09:00:00'));
    expect(await compromised()).toEqual({ [ines]: at('09:00:00') });
  });

  test('when two recipients have swapped addresses', async () => {
    const jane = await makeLearner('jane@tenant.test');
    await record(told('sent', '08:00:00'), told('sent', '08:00:00', 'jane@tenant.test'));
    await renameLearner(ines, NEW);
    await renameLearner(jane, OLD);
    await renameLearner(ines, 'jane@tenant.test');
    await record(told('compromised', '09:00:00'), told('compromised', '09:30:00', 'jane@tenant.test'));
    expect(await compromised()).toEqual({ [ines]: at('09:00:00'), [jane]: at('09:30:00') });
  });

  test('after a change, the new address also identifies the recipient', async () => {
    await record(told('sent', '08:00:00'));
    await renameLearner(ines, NEW);
    await record(told('compromised', '09:00:00', NEW));
    expect(await compromised()).toEqual({ [ines]: at('09:00:00') });
  });

  test("but another simulation uses the address's current owner", async () => {
    await record(told('sent', '08:00:00'));
    await renameLearner(ines, NEW);
    const jane = await makeLearner(OLD);
    const fields = { name: 'Another', deliveryMethod: 'email', startDate: at('07:00:00') };
    await post('/simulations', { externalId: 'engine-2', ...fields });
    await record({ ...told('compromised', '09:00:00'), simulation: { externalId: 'engine-2' } });
    expect(await compromised('engine-2')).toEqual({ [jane]: at('09:00:00') });
  });
});

describe('the time of an event decides between two recipients of an address', () => {
  const sendTwice = async (): Promise<string> => {
    await record(told('sent', '08:00:00'));
    await renameLearner(ines, NEW);
    const jane = await makeLearner(OLD);
    await record(told('sent', '10:00:00'));
    return jane;
  };

  test('in separate calls', async () => {
    const jane = await sendTwice();
    await record(told('compromised', '10:30:00'));
    await record(told('compromised', '09:00:00'));
    expect(await compromised()).toEqual({ [ines]: at('09:00:00'), [jane]: at('10:30:00') });
  });

  test('in one call with the second sending, in any order', async () => {
    await record(told('sent', '08:00:00'));
    await renameLearner(ines, NEW);
    const jane = await makeLearner(OLD);
    const events = [told('compromised', '10:30:00'), told('sent', '10:00:00'), told('compromised', '09:00:00')];
    expect((await record(...events)).body.data.success).toBe(true);
    expect(await compromised()).toEqual({ [ines]: at('09:00:00'), [jane]: at('10:30:00') });
  });

  test('even if the second was mailed at another address before', async () => {
    const jane = await makeLearner('jane@tenant.test');
    await record(told('sent', '08:00:00'), told('sent', '08:00:00', 'jane@tenant.test'));
    await renameLearner(ines, NEW);
    await renameLearner(jane, OLD);
    await record(told('sent', '10:00:00'));
    await record(told('compromised', '10:30:00'));
    expect(await compromised()).toEqual({ [ines]: null, [jane]: at('10:30:00') });
    await record(told('compromised', '09:45:00', 'jane@tenant.test'));
    expect(await compromised()).toEqual({ [ines]: null, [jane]: at('09:45:00') });
  });

  test('and a repeated event stays the same event', async () => {
    await record(told('sent', '08:00:00'), told('compromised', '10:30:00'));
    await renameLearner(ines, NEW);
    const jane = await makeLearner(OLD);
    await record(told('sent', '10:00:00'));
    for (const again of [told('sent', '08:00:00'), told('compromised', '10:30:00'), told('sent', '10:00:00')]) {
      expect((await record(again)).body.data).toMatchObject({ success: true });
    }
    expect(await compromised()).toEqual({ [ines]: at('10:30:00'), [jane]: null });
  });
});

test('a GoPhish event after an address change is recorded for the recipient', async () => {
  const of = (message: string, time: string) => event(message, { email: OLD, time, details: '' });
  await deliver(of('Email Sent', '2026-05-04T08:00:00.5Z'));
  await renameLearner(ines, NEW);
  expect((await deliver(of('Submitted Data', '2026-05-04T09:00:00.5Z'))).body.data).toEqual(recorded);
  await makeLearner(OLD);
  expect((await deliver(of('Email Reported', '2026-05-04T09:30:00.5Z'))).body.data).toEqual(recorded);
  expect(await compromised(campaignOf('tenant'))).toEqual({ [ines]: '2026-05-04T09:00:00.500Z' });
});

test('the audit log names the recipient, not the current owner of the address', async () => {
  await record(told('sent', '08:00:00'));
  await renameLearner(ines, NEW);
  const jane = await makeLearner(OLD);
  await record(told('compromised', '09:00:00'));
  const [entry] = await testService.query(
    `select targets from audit_log where operation = 'recordSimulationEvents' order by id desc limit 1`,
  );
  expect(JSON.stringify(entry)).toContain(ines);
  expect(JSON.stringify(entry)).not.toContain(jane);
});

test('deleting a learner deletes their former addresses', async () => {
  await record(told('sent', '08:00:00'));
  await renameLearner(ines, NEW);
  await del(`/learners/${ines}`);
  const { body } = await record(told('compromised', '09:00:00'));
  expect(body.data.failures).toMatchObject([{ code: 'learner_not_found' }]);
  expect(await testService.query('select from simulation_recipient_addresses where email_key = $1', [OLD])).toEqual([]);
});

test('the report mailbox finds only active recipients by the address that was mailed', async () => {
  await record(told('sent', '08:00:00'));
  await renameLearner(ines, NEW);
  const pool = openServicePool(1);
  const found = async () =>
    (await pool.query('select learner_id from find_recipients_by_email($1)', ['INES.old@tenant.test'])).rows;
  expect(await found()).toEqual([{ learner_id: ines }]);
  await post('/learners/deactivate', { learnerIds: [ines] });
  expect(await found()).toEqual([]);
  await pool.end();
});
