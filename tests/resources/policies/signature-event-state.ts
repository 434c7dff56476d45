import { get, post } from '../../support/client.ts';
import { learnerId } from '../../support/world.ts';
import { file, policy, update } from './policy-state.ts';

/** Returns the id of a learner of the tenant. */
export const learner = (number: 1 | 2 | 3 | 4 | 5): string => learnerId('tenant', number);
/** Returns 08:00 UTC on a day of May 2026. */
export const at = (day: string): string => `2026-05-${day}T08:00:00.000Z`;

/** Records signatures, by default of learner 4, who has no assignments, on policy 1 on paper. */
export const record = (...signatures: object[]) =>
  post('/policy-signatures', {
    signatures: signatures.map((signature, index) => ({
      learner: { id: learner(4) },
      policyId: policy(1),
      signedAt: at('04'),
      offline: true,
      eventId: `e${index}`,
      ...signature,
    })),
  });

/** Returns the policy results of a learner with all signatures. */
export const results = async (number: 1 | 2 | 3 | 4 | 5 = 4): Promise<any[]> =>
  (await get(`/learners/${learner(number)}/policy-results?includeSignatures=true`)).body.data;

/** Returns the rows of all tables that store signatures. */
export const stored = async () => {
  const tables = ['policy_results', 'signatures', 'signature_names', 'signature_events'];
  return Promise.all(tables.map((table) => testService.query(`select t::text from ${table} t order by 1`)));
};

/** Publishes a second version of policy 1, dated 10 May, and returns its id. */
export async function publishSecond(): Promise<string> {
  const { liveVersionId } = await update(policy(1), { name: 'Policy 1, new', pdfFile: file, action: 'live' });
  await testService.query('update policy_versions set published_at = $1 where id = $2', [at('10'), liveVersionId]);
  return liveVersionId as string;
}
