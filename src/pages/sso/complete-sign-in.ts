import type pg from 'pg';
import type { Caller, Origin } from '../../auth/caller.ts';
import { ApiError } from '../../contract/errors.ts';
import type { ProviderAccess } from '../../identity/providers/identity-providers.ts';
import { type IdentifiedPerson, ProviderSignIn } from '../../identity/providers/provider-sign-in.ts';
import type { ReportedPerson } from '../../identity/providers/reported-person.ts';
import { SignInFault } from '../../identity/providers/sign-in-fault.ts';
import type { PersonKind } from '../../identity/people.ts';
import type { Invoke } from '../../operations/invoke.ts';
import { requireValidBody } from '../shared/contract-body.ts';
import type { Redeemed } from './provider-clients.ts';

export interface CompleteServices {
  pool: pg.Pool;
  invoke: Invoke;
}

interface Visit {
  origin: Origin;
  /** The secret of the device; empty if the device has none. */
  device: string;
}

/**
 * Signs in the person whom a provider has reported. Creates a learner if the company's settings allow it, and gives an
 * admin the role of their group, both through operations of the contract.
 * @returns the secret of the session
 * @throws {SignInFault} if the person cannot sign in
 */
export async function completeSignIn(
  { pool, invoke }: CompleteServices,
  { provider, kind, redeemed }: { provider: ProviderAccess; kind: PersonKind; redeemed: Redeemed },
  { origin, device }: Visit,
): Promise<string> {
  const { reported, assertion } = redeemed;
  const signIn = new ProviderSignIn(pool, provider, kind, reported);
  try {
    const found = await signIn.find();
    if (!found && kind === 'admin') throw new SignInFault('person_unknown');
    if (found && kind === 'admin') await giveRole(invoke, found, { provider, reported, origin });
    const personId = found?.id ?? (await createLearner(invoke, signIn, { provider, reported, origin }));
    return await signIn.accept(personId, assertion, { origin, device });
  } catch (error) {
    if (error instanceof SignInFault) await signIn.recordFault(error, origin);
    throw error;
  }
}

/** Failures to change the role after which the admin signs in with the previous role. */
const ROLE_CHANGE_REFUSALS: readonly string[] = ['last_admin', 'emergency_access_missing', 'admin_in_directory'];

interface Report {
  provider: ProviderAccess;
  reported: ReportedPerson;
  origin: Origin;
}

/**
 * Gives an admin the role of the first group that the provider has reported. The last owner and admins whom a directory
 * provisions keep their roles.
 */
async function giveRole(
  invoke: Invoke,
  admin: IdentifiedPerson,
  { provider, reported, origin }: Report,
): Promise<void> {
  if (provider.roles.length === 0 || admin.isInDirectory) return;
  const given = provider.roles.find(({ group }) => reported.groups.includes(group));
  if (!given) throw new SignInFault('role_missing', { personId: admin.id });
  const { role, roleId } = given;
  if (role === admin.role && roleId === admin.roleId) return;
  const caller = toProviderCaller(provider, { scopes: null, accountType: 'tenant', modules: [] }, origin);
  const body = roleId === null ? { role } : { roleId };
  await invoke('updateAdmin', caller, { adminId: admin.id, body }).catch((error: unknown) => {
    if (!(error instanceof ApiError && ROLE_CHANGE_REFUSALS.includes(error.code))) throw error;
  });
}

/** Creates the reported learner. Returns the id. @throws {SignInFault} if the company's settings do not allow it */
async function createLearner(
  invoke: Invoke,
  signIn: ProviderSignIn,
  { provider, reported, origin }: Report,
): Promise<string> {
  const { hasDirectory, isLocked, accountType, modules } = await signIn.findCompany();
  // The operator might have unlocked the company since the setting was made.
  if (!provider.createsLearners || hasDirectory || !isLocked) throw new SignInFault('person_unknown');
  const { email, firstName, lastName } = reported;
  const caller = toProviderCaller(provider, { scopes: ['learners:write'], accountType, modules }, origin);
  const body = { email, firstName, lastName };
  try {
    requireValidBody('createLearner', body);
    return ((await invoke('createLearner', caller, { body })) as { id: string }).id;
  } catch (error) {
    const isRefused = error instanceof ApiError && error.status < 500;
    if (!isRefused) throw error;
    // A concurrent sign-in of the same person might have created the learner.
    const found = await signIn.find();
    if (found) return found.id;
    throw new SignInFault('learner_refused', { cause: error });
  }
}

function toProviderCaller(
  { id, companyId }: ProviderAccess,
  access: Pick<Caller, 'scopes' | 'accountType' | 'modules'>,
  origin: Origin,
): Caller {
  const actor = { type: 'identity_provider', id } as const;
  return Object.freeze({ ...access, companyId, keyId: id, expiresAt: null, actor, origin });
}
