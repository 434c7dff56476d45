import type { Caller } from '../../../auth/caller.ts';
import { hasAllScopes } from '../../../auth/roles.ts';
import type { Schemas } from '../../../contract/contract.ts';
import { type Html, html } from '../../../http/html/html.ts';
import type { AdminsMessages } from './admins-messages.ts';

type Role = Schemas['Role'];
type Assigned = Pick<Schemas['Admin'], 'role' | 'roleId'>;

export interface RoleField {
  caller: Pick<Caller, 'scopes'>;
  /** All roles of the company. */
  roles: readonly Role[];
  /** The value of the chosen role. */
  chosen: string;
  fault: string | undefined;
}

/** Renders the choice among the roles that the signed-in admin can give. */
export function roleField({ caller, roles, chosen, fault }: RoleField, messages: AdminsMessages): Html {
  const option = (role: Role) => {
    const value = toRoleValue({ role: role.role, roleId: role.id });
    return html`<option value=${value} selected=${value === chosen}>${formatRole(role, messages)}</option>`;
  };
  return html`
    <label for="role">${messages.role}</label>
    <select id="role" name="role" aria-describedby=${fault && 'role-fault'}>
      ${roles.filter(({ scopes }) => hasAllScopes(caller, scopes)).map(option)}
    </select>
    ${fault && html`<p class="fault" id="role-fault" role="alert">${fault}</p>`}
  `;
}

/** Returns the role of an admin. Falls back to a role without a name if the signed-in admin cannot read roles. */
export function findRole({ role, roleId }: Assigned, roles: readonly Role[]): Pick<Role, 'role' | 'name'> {
  return roles.find((one) => one.role === role && one.id === roleId) ?? { role, name: '' };
}

/** Returns the label of a role. A built-in role that is unknown to this release is shown by its name. */
export function formatRole({ role, name }: Pick<Role, 'role' | 'name'>, { roles }: AdminsMessages): string {
  if (role === 'custom' && name !== '') return name;
  return (roles as Record<string, string>)[role] ?? name;
}

/** Returns the value of a role in the form: its name, or the id of a role that the company created. */
export function toRoleValue({ role, roleId }: Assigned): string {
  return roleId ?? role;
}

/** Converts the value of the form to the fields of a request. The contract validates them. */
export function toRoleFields(value: string | null): Pick<Schemas['UpdateAdminInput'], 'role' | 'roleId'> {
  if (!value) return {};
  return value.includes('-') ? { roleId: value } : { role: value as Schemas['AdminRoleInput'] };
}
