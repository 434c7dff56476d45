import { hasScope } from '../../auth/caller.ts';
import type { Handler } from '../../contract/contract.ts';
import { notFound } from '../../contract/errors.ts';
import { endSession, endSessions, listSessions, lockPerson } from '../../identity/session-repository.ts';
import { requireLearner } from './shared/known-learners.ts';

export const listLearnerSessions: Handler<'listLearnerSessions'> = async ({ learnerId }, tenant, caller) => {
  await requireLearner(tenant, learnerId);
  return tenant.stream(listSessions.learner, { personId: learnerId, showsClient: hasScope(caller, 'audit_log:read') });
};

export const endLearnerSession: Handler<'endLearnerSession'> = ({ learnerId, sessionId }, tenant) => {
  return tenant.transaction(async (tx) => {
    if (!(await lockPerson(tx, 'learner', learnerId))) throw notFound('learner');
    if (!(await endSession(tx, 'learner', { personId: learnerId, sessionId }))) throw notFound('session');
    return { id: sessionId };
  });
};

export const endLearnerSessions: Handler<'endLearnerSessions'> = ({ learnerId }, tenant) => {
  return tenant.transaction(async (tx) => {
    if (!(await lockPerson(tx, 'learner', learnerId))) throw notFound('learner');
    return { endedIds: await endSessions(tx, 'learner', { personId: learnerId, keptId: null }) };
  });
};
