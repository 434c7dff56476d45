import type { Schemas } from '../../contract/contract.ts';
import { invalidField } from '../../contract/errors.ts';

type Scopes = Pick<Schemas['Role'], 'scopes'>;

/** Reports whether a change gives a role scopes that it did not have before. */
export function isWider(before: Scopes, after: Scopes): boolean {
  return after.scopes!.some((scope) => !before.scopes!.includes(scope));
}

export function hasEqualScopes(before: Scopes, after: Scopes): boolean {
  return !isWider(before, after) && !isWider(after, before);
}

const MAX_ROLES = 50;

/** Requires that the company can create another role. @throws invalid_request */
export function requirePlace(roles: number): void {
  if (roles >= MAX_ROLES) throw invalidField('body', `would exceed the company's maximum of ${MAX_ROLES} roles`);
}
