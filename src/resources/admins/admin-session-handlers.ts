import { hasScope } from '../../auth/caller.ts';
import { requireAllScopes, scopesOfRole } from '../../auth/roles.ts';
import type { Handler } from '../../contract/contract.ts';
import { notFound } from '../../contract/errors.ts';
import { endSession, endSessions, listSessions } from '../../identity/session-repository.ts';
import { lockAdmin } from './admin-repository.ts';
import { requireAdmin } from './passkey-repository.ts';

export const listAdminSessions: Handler<'listAdminSessions'> = async ({ adminId }, tenant, caller) => {
  await requireAdmin(tenant, adminId);
  return tenant.stream(listSessions.admin, { personId: adminId, showsClient: hasScope(caller, 'audit_log:read') });
};

export const endAdminSession: Handler<'endAdminSession'> = ({ adminId, sessionId }, tenant, caller) => {
  return tenant.transaction(async (tx) => {
    requireAllScopes(caller, scopesOfRole(await lockAdmin(tx, adminId)));
    if (!(await endSession(tx, 'admin', { personId: adminId, sessionId }))) throw notFound('session');
    return { id: sessionId };
  });
};

export const endAdminSessions: Handler<'endAdminSessions'> = ({ adminId }, tenant, caller) => {
  return tenant.transaction(async (tx) => {
    requireAllScopes(caller, scopesOfRole(await lockAdmin(tx, adminId)));
    return { endedIds: await endSessions(tx, 'admin', { personId: adminId, keptId: null }) };
  });
};
