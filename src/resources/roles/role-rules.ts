import { invalidField } from '../../contract/errors.ts';

const MAX_ROLES = 50;

/** Requires that the company can have a further role. @throws invalid_request */
export function requirePlace(roles: number): void {
  if (roles >= MAX_ROLES) throw invalidField('body', `would be more than ${MAX_ROLES} roles of the company`);
}
