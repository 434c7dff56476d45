import { TenantAccess } from '../../../src/auth/tenant-access.ts';
import { recordEvents } from '../../../src/resources/simulations/events/simulation-events.ts';
import { judgeReport } from '../../../src/resources/simulations/events/reported-mail/judge-report.ts';
import { readMailTraces } from '../../../src/resources/simulations/events/reported-mail/mail-traces.ts';
import {
  allowSimulations,
  forgetSimulations,
  makeMailedSimulation,
  SECRET,
  SENDER,
} from '../../support/own-simulations.ts';
import { forwardedForms } from '../../support/reported-mail/attacks.ts';
import { type Form, type Original, recognisedForms } from '../../support/reported-mail/corpus.ts';
import { openServicePool } from '../../support/service-pool.ts';
import { companies, learnerId } from '../../support/world.ts';

const pool = openServicePool(2);
const access = new TenantAccess(pool);
const at = new Date();
const ada = { companyId: companies.tenant, learnerId: learnerId('tenant', 1) };

let simulations: string[];
let originals: Parameters<typeof forwardedForms>[0];

beforeAll(async () => {
  await allowSimulations();
  const [own, foreign, old] = await Promise.all([
    makeMailedSimulation([1, 2], { words: { subject: 'Ihr Päckchen, {{firstName}}' } }),
    makeMailedSimulation([1], { company: 'other' }),
    makeMailedSimulation([1], { words: { subject: 'Old parcel' } }),
  ]);
  simulations = [own.id, foreign.id, old.id];
  await testService.query(
    `update simulation_recipients
        set sent_at = now() - case when simulation_id = $2 then interval '60 days' else interval '1 hour' end
      where simulation_id = any($1)`,
    [simulations, old.id],
  );
  const [{ first_name: firstName }] = (await testService.query('select first_name from learners where id = $1', [
    ada.learnerId,
  ])) as [{ first_name: string }];
  const original = (link: string, id: string, subject = `Ihr Päckchen, ${firstName}`): Original => ({
    ...{ from: `Parcel service <notice@${SENDER}>`, to: 'learner1@tenant.test', subject },
    ...{ messageId: `<${id}@${SENDER}>`, link: `https://${SENDER}${link}`, headerSecret: SECRET },
  });
  const sent = {
    type: 'sent' as const,
    occurredAt: new Date(at.getTime() - 3_600_000).toISOString(),
    eventId: 'sent-to-ada',
  };
  const whose = { simulation: { id: own.id }, learner: { id: ada.learnerId } };
  const recording = access
    .ofJob(companies.tenant)
    .transaction((tx) => recordEvents(tx, [{ ...sent, ...whose, evidence: { messageId: `<1a2b@${SENDER}>` } }]));
  expect(await recording).toMatchObject({ success: true });
  originals = {
    simulation: original(own.linkOf(1), '1a2b'),
    colleagues: original(own.linkOf(2), '3c4d', 'Ihr Päckchen, Grace'),
    foreign: original(foreign.linkOf(1), '5e6f', 'A parcel for you'),
    old: original(old.linkOf(1), '7a8b', 'Old parcel'),
    attack: {
      ...{ from: 'Bank <bank@evil.test>', to: 'learner1@tenant.test', subject: 'Your account' },
      ...{ messageId: '<9c0d@evil.test>', link: 'https://evil.test/s/login' },
    },
  };
  delete originals.colleagues.headerSecret;
});
afterAll(async () => {
  await forgetSimulations();
  await pool.end();
});

/** Judges an email reported by Ada or by nobody known, and deletes the report that this records. */
async function judge({ source }: Form): Promise<Pick<Form, 'isRecorded' | 'reason'>> {
  const traces = await readMailTraces(source);
  const reporters = traces.senders.includes('learner1@tenant.test') ? [ada] : [];
  const reason = await judgeReport(traces, { reporters, at, access });
  const deleted = await testService.query(
    `delete from simulation_events where simulation_id = any($1) and type = 'reported' returning event_id`,
    [simulations],
  );
  return { isRecorded: deleted.length > 0, reason };
}

async function judgeAll(forms: readonly Form[]): Promise<[string, Pick<Form, 'isRecorded' | 'reason'>][]> {
  const judged: [string, Pick<Form, 'isRecorded' | 'reason'>][] = [];
  for (const form of forms) judged.push([form.name, await judge(form)]);
  return judged;
}

const expected = (forms: readonly Form[]) =>
  forms.map(({ name, isRecorded, reason }) => [name, { isRecorded, reason }]);

test('recognises a simulation in more than a hundred forms, and forwards none of them', async () => {
  const forms = await recognisedForms(originals.simulation);
  expect(forms.length).toBeGreaterThan(150);
  expect(await judgeAll(forms)).toEqual(expected(forms));
});

test("forwards every attack, and everything that is not clearly the reporter's own simulation", async () => {
  const forms = await forwardedForms(originals);
  expect(forms.length).toBeGreaterThan(40);
  expect(await judgeAll(forms)).toEqual(expected(forms));
});
