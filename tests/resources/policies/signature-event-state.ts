import { get, post } from '../../support/client.ts';
import { learnerId } from '../../support/world.ts';
import { file, policy, update } from './policy-state.ts';

/** A learner of the tenant. */
export const learner = (number: 1 | 2 | 3 | 4 | 5): string => learnerId('tenant', number);
/** A morning of May. */
export const at = (day: string): string => `2026-05-${day}T08:00:00.000Z`;

/** Records signatures of learner 4 on policy 1, on paper, where they do not say otherwise. Nothing is assigned to them. */
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

/** What a learner did with each policy, with all signatures. */
export const results = async (number: 1 | 2 | 3 | 4 | 5 = 4): Promise<any[]> =>
  (await get(`/learners/${learner(number)}/policy-results?includeSignatures=true`)).body.data;

/** All that a signature is written to. */
export const stored = async () => {
  const tables = ['policy_results', 'signatures', 'signature_names', 'signature_events'];
  return Promise.all(tables.map((table) => testService.query(`select t::text from ${table} t order by 1`)));
};

/** Gives policy 1 a second version, published on 10 May. */
export async function publishSecond(): Promise<string> {
  const { liveVersionId } = await update(policy(1), { name: 'Policy 1, new', pdfFile: file, action: 'live' });
  await testService.query('update policy_versions set published_at = $1 where id = $2', [at('10'), liveVersionId]);
  return liveVersionId as string;
}
