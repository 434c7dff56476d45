import fc from 'fast-check';
import { learnerId } from '../../support/world.ts';
import { versionId } from '../../support/world-policies.ts';
import { policy, race, restorePolicies } from '../policies/policy-state.ts';
import { at, learner, publishSecond, record, results } from '../policies/signature-event-state.ts';
import { bodyOf, correctedSignatures as corrected } from './signature-correction-state.ts';

restorePolicies();
afterEach(() => testService.query('delete from corrections'));

const forget = () =>
  testService.query(`
    delete from corrections;
    delete from policy_results where learner_id in ('${learner(2)}', '${learner(4)}') and policy_id = '${policy(1)}';
    delete from signature_events where learner_id in ('${learner(2)}', '${learner(4)}');
    delete from signatures where learner_id in ('${learner(2)}', '${learner(4)}');
    insert into policy_results (company_id, id, policy_id, learner_id, assigned_at, asked_at)
    select company_id, new_id(), '${policy(1)}', id, '2026-05-01Z', '2026-05-01Z' from learners where id = '${learner(2)}'`);

/** Returns the results of both learners and their evidence, as integrators see them. */
const seen = async () => (await Promise.all([results(2), results(4)])).flat().map(({ id: _id, ...result }) => result);

test('after any corrections, results follow only from the signatures that count', async () => {
  const second = await publishSecond();
  const signature = fc.record({
    number: fc.constantFrom(2, 4),
    day: fc.constantFrom('10', '11', '12'),
    version: fc.constantFrom(versionId('tenant', 1), second),
    offline: fc.boolean(),
  });
  const step = fc.record({
    place: fc.nat({ max: 9 }),
    action: fc.constantFrom('void' as const, 'restore' as const, 'replace' as const),
  });
  await fc.assert(
    fc.asyncProperty(
      fc.array(signature, { minLength: 1, maxLength: 5 }),
      fc.array(step, { minLength: 1, maxLength: 6 }),
      async (drawn, steps) => {
        const facts = drawn.map(({ number, day, version, offline }, index) => ({
          learner: { id: learnerId('tenant', number as 2) },
          signedAt: at(day),
          versionId: version,
          offline,
          eventId: `p${index}`,
        }));
        const counting = new Map(facts.map((fact) => [fact.eventId, fact]));
        await forget();
        await record(...facts);
        for (const [index, { place, action }] of steps.entries()) {
          const fact = facts[place % facts.length]!;
          const { eventId, learner: signer } = fact;
          if (action === 'replace') {
            if (!counting.has(eventId)) continue;
            const replacement = { signedAt: at('13'), versionId: second, offline: true, eventId: `r${index}` };
            await corrected({ eventId, action, replacement });
            facts.push({ learner: signer, ...replacement });
            counting.set(replacement.eventId, facts.at(-1)!);
          } else await corrected({ eventId, action });
          if (action === 'restore') counting.set(eventId, fact);
          else counting.delete(eventId);
        }
        const after = await seen();
        await forget();
        if (counting.size > 0) await record(...counting.values());
        expect(after).toEqual(await seen());
      },
    ),
    { numRuns: 12 },
  );
});

test('corrections and records of one learner at the same time lose nothing', async () => {
  const days = ['04', '05', '06', '07', '08', '09'];
  await record(...days.map((day) => ({ signedAt: at(day), eventId: `old-${day}` })));
  const answers = await Promise.all(
    days.flatMap((day) => [
      race('POST', '/corrections', bodyOf([{ eventId: `old-${day}`, action: 'void' }])),
      race('POST', '/policy-signatures', {
        signatures: [
          {
            learner: { id: learner(4) },
            policyId: policy(1),
            signedAt: at(day).replace('08:', '12:'),
            offline: true,
            eventId: `new-${day}`,
          },
        ],
      }),
    ]),
  );
  expect(answers.map(({ status }) => status)).toEqual(answers.map(() => 200));
  const [result] = await results(4);
  expect(result.signatures.map(({ eventId }: any) => eventId)).toEqual(days.map((day) => `new-${day}`));
  expect(result.signed).toBe(at('09').replace('08:', '12:'));
});
