import type { Handler } from '../../contract/contract.ts';
import { invalidField } from '../../contract/errors.ts';
import { toUtc } from './audit-log-rules.ts';
import { listFailedEntries, listOfPerson, listSignInEntries } from './sign-in-repository.ts';

export const listSignIns: Handler<'listSignIns'> = (input, tenant) => {
  const { adminId, learnerId, outcome = null } = input;
  if (adminId !== undefined && learnerId !== undefined)
    throw invalidField('query/adminId', 'cannot be combined with `learnerId`');
  const times = { since: toUtc(input.since), until: toUtc(input.until) };
  const filter = { ...times, outcome };
  const personId = adminId ?? learnerId;
  if (personId === undefined && outcome === 'failed') return tenant.stream(listFailedEntries, times);
  if (personId === undefined) return tenant.stream(listSignInEntries, filter);
  const kind = adminId === undefined ? 'learner' : 'admin';
  return tenant.stream(listOfPerson, { ...filter, kind, personId });
};
