import { get, post } from '../../support/client.ts';
import { Learner } from '../../support/learner.ts';
import { learner } from '../policies/signature-event-state.ts';
import { policy } from '../policies/policy-state.ts';

export interface SignatureCorrection {
  eventId: string;
  action: 'void' | 'replace' | 'restore';
  reason?: string;
  replacement?: object;
}

/** Builds the body of corrections of signatures. */
export const bodyOf = (items: SignatureCorrection[]) => ({
  corrections: items.map((item) => ({ kind: 'policy_signature', reason: 'Signed by another person', ...item })),
});

/** Sends corrections of signatures. */
export const correctSignatures = (...items: SignatureCorrection[]) => post('/corrections', bodyOf(items));

/** Corrects, expects every correction to be made, and returns which of them changed something. */
export async function correctedSignatures(...items: SignatureCorrection[]): Promise<boolean[]> {
  const { status, body } = await correctSignatures(...items);
  expect({ status, failures: body.data?.failures }).toEqual({ status: 200, failures: [] });
  return body.data.completed.map(({ changed }: { changed: boolean }) => changed);
}

/** Returns the `eventId`s of a learner's signatures on policy 1, oldest first. */
export async function idsOf(number: 1 | 2 | 3 | 4 | 5, query = ''): Promise<string[]> {
  const path = `/learners/${learner(number)}/policy-results?includeSignatures=true&policyId=${policy(1)}${query}`;
  const [result] = (await get(path)).body.data;
  return (result?.signatures ?? []).map(({ eventId }: { eventId: string }) => eventId);
}

/** Has a learner open and sign a version of policy 1 on the pages. Returns the status of the form. */
export async function signOnPage(number: 1 | 2 | 3 | 4 | 5, versionId: string): Promise<number> {
  const { firstName, lastName } = (await get(`/learners/${learner(number)}`)).body.data;
  const fields = { name: `${firstName} ${lastName}`, agreed: 'yes', versionId };
  const signer = await Learner.of('tenant', number);
  await signer.post(`/learn/policies/${policy(1)}/visits`, fields);
  return (await signer.post(`/learn/policies/${policy(1)}/signatures`, fields)).status;
}
