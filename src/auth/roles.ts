// Roles: the permissions of admins. A role is a set of the scopes that API keys have, so the pipeline
// (src/operations/invoke.ts) applies one rule to keys, to people and to their applications.
//
// The built-in roles are the same for every company. Roles that cover almost everything are defined by the scopes that
// they exclude, so that a new operation needs no change here. A company's own roles are rows of the table `roles`.
//
// Nobody can give more permissions than they have (`requireAllScopes`): neither by giving themselves or somebody else
// another role, nor by changing the e-mail address of an admin with more permissions to their own.
import type { components } from '../../generated/api-types.ts';
import { scopes } from '../../generated/operations.ts';
import { ApiError, insufficientScope } from '../contract/errors.ts';
import { type Caller, hasScope, type Scope } from './caller.ts';

type Schemas = components['schemas'];
export type BuiltInRole = Schemas['AdminRoleInput'];

/** The role of an admin, and the scopes of the role if the company created it. */
export interface AssignedRole {
  role: string;
  customScopes: string[] | null;
}

const read = scopes.filter((scope) => scope.endsWith(':read'));
const selectScopes = (...resources: string[]) => scopes.filter((scope) => resources.includes(scope.split(':')[0]!));
const without = (all: readonly Scope[], ...others: Scope[]) => all.filter((scope) => !others.includes(scope));

/** The scopes of the built-in roles; null for all scopes, including those of later versions. */
const BUILT_IN_SCOPES: Record<BuiltInRole, readonly Scope[] | null> = {
  owner: null,
  // Whoever can change an identity provider can sign in as any admin.
  administrator: without(
    scopes,
    ...(['roles:write', 'roles:delete', 'identity_providers:write', 'identity_providers:delete'] as const),
  ),
  author: [
    ...(['campaigns:read', 'company:read', 'groups:read', 'reports:read'] as const),
    ...without(selectScopes('courses', 'policies', 'policy_templates'), 'courses:remind', 'policies:remind'),
    ...selectScopes('simulations'),
  ].toSorted(),
  analyst: without(
    read,
    ...(['admins:read', 'api_keys:read', 'audit_log:read', 'roles:read', 'sources:read'] as const),
    ...(['identity_providers:read', 'webhook_endpoints:read'] as const),
  ),
  auditor: read,
  // Only in the operations that the contract opens to managers; see `getPermissions`.
  manager: ['campaigns:read', 'learners:read', 'reports:read'],
};

const ABOUT: Record<BuiltInRole, [name: string, description: string]> = {
  owner: ['Owner', 'Everything, including roles and anything that later versions add.'],
  administrator: ['Administrator', 'Everything except changing roles and identity providers.'],
  author: ['Author', 'Courses, policies, templates and simulations.'],
  analyst: ['Analyst', 'Reading results and reports, but not the security settings.'],
  auditor: ['Auditor', 'Reading everything, including the audit log and evidence.'],
  manager: ['Manager', 'Reading results of their own people: direct reports and members of groups that they manage.'],
};

/** The built-in roles, as `GET /roles` returns them. */
export const builtInRoles: readonly Schemas['Role'][] = (Object.keys(ABOUT) as BuiltInRole[]).map((role) => ({
  ...{ role, id: null, name: ABOUT[role][0], description: ABOUT[role][1] },
  scopes: BUILT_IN_SCOPES[role] && [...BUILT_IN_SCOPES[role]],
}));

/** Returns the scopes of a role; null for all scopes. An unknown role has none. */
export function scopesOfRole({ role, customScopes }: AssignedRole): readonly string[] | null {
  if (role in BUILT_IN_SCOPES) return BUILT_IN_SCOPES[role as BuiltInRole];
  return customScopes ?? [];
}

/**
 * Returns what an admin with a role can call. A manager does not get the role's scopes, which would open the records of
 * the whole company. Instead, the pipeline opens the operations with `x-managers` to managers, limited to their own
 * people. Code that does not handle managers therefore rejects them.
 */
export function getPermissions(role: AssignedRole): Pick<Caller, 'scopes' | 'isManager'> {
  return role.role === 'manager' ? { scopes: [], isManager: true } : { scopes: scopesOfRole(role) };
}

/**
 * Requires that a caller has each scope of a request. @throws {ApiError} `insufficient_scope`, which names the field
 */
export function requireRequestedScopes(caller: Pick<Caller, 'scopes'>, required: readonly Scope[]): void {
  const lacking = required.findIndex((scope) => !hasScope(caller, scope));
  if (lacking >= 0) throw insufficientScope(required[lacking]!, `body/scopes/${lacking}`);
}

/** Reports whether a caller has each scope of a key or of a role; null stands for all scopes. */
export function hasAllScopes(caller: Pick<Caller, 'scopes'>, wanted: readonly string[] | null): boolean {
  if (wanted === null) return caller.scopes === null;
  return wanted.every((scope) => hasScope(caller, scope as Scope));
}

/**
 * Requires that a caller has each scope of a key or of a role; null stands for all scopes.
 * @throws {ApiError} `insufficient_scope`, or `forbidden` if the caller lacks only those of later versions
 */
export function requireAllScopes(
  caller: Pick<Caller, 'scopes'>,
  wanted: readonly string[] | null,
  field?: string,
): void {
  const lacking = (wanted ?? scopes).find((scope) => !hasScope(caller, scope as Scope));
  if (lacking !== undefined) throw insufficientScope(lacking, field);
  if (!hasAllScopes(caller, wanted)) {
    throw new ApiError('forbidden', 'This call needs a key without scopes, or an admin with the role owner.');
  }
}
