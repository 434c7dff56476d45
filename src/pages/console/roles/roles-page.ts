import type { Caller } from '../../../auth/caller.ts';
import { hasAllScopes } from '../../../auth/roles.ts';
import type { Schemas } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';
import { formatFullName } from '../../../db/expressions.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { apiCalls } from '../../shared/parts/api-calls.ts';
import { confirmation } from '../../shared/parts/confirmation.ts';
import { emptyState } from '../../shared/parts/empty-state.ts';
import { formFault, hiddenFields, selectField } from '../../shared/parts/fields.ts';
import { type Cell, dataTable } from '../../shared/parts/table.ts';
import { facts } from '../../shared/parts/tiles.ts';
import { canCall } from '../admin.ts';
import { ADMINS_PATH } from '../admins/admins-page.ts';
import { adminsMessages } from '../admins/admins-messages.ts';
import { formatRole } from '../admins/role-field.ts';
import type { FormFaults } from '../form-faults.ts';
import { rolesMessages } from './roles-messages.ts';
import { type ScopeAction, scopeNames, type ScopeResource, toScopeAction, toScopeResource } from './scope-names.ts';

type Role = Schemas['Role'];
type Admin = Schemas['Admin'];

export const ROLES_PATH = '/console/roles';

/** Returns the path of a role's page, or of one of its forms. A built-in role is named by its kind. */
export function toRolePath({ role, id }: Pick<Role, 'role' | 'id'>, form = ''): string {
  return `${ROLES_PATH}/${id ?? role}${form}`;
}

/** Returns the admins who have a role. */
export function listHolders(admins: readonly Admin[], { role, id }: Pick<Role, 'role' | 'id'>): Admin[] {
  return admins.filter((admin) => admin.role === role && admin.roleId === id);
}

/** Returns the name of a role; the built-in ones have one in each language. */
export function toRoleName(role: Role, language: Language): string {
  return formatRole(role, adminsMessages[language]);
}

export interface RolesView {
  language: Language;
  caller: Pick<Caller, 'scopes'>;
  roles: readonly Role[];
  /** The admins of the company; undefined if the signed-in admin cannot read them. */
  admins: readonly Admin[] | undefined;
}

/** Renders the roles of the company: its own, and the built-in ones. */
export function rolesContent({ language, caller, roles, admins }: RolesView): Html {
  const messages = rolesMessages[language];
  const canCreate = canCall(caller, 'createRole');
  const own = roles.filter(({ id }) => id !== null);
  const builtIn = roles.filter(({ id }) => id === null);
  const create = { href: `${ROLES_PATH}/new`, text: messages.create };
  const table = (caption: string, listed: readonly Role[]) => {
    const [name, about, permissions, holders] = messages.head;
    const columns = [name, about, permissions, ...(admins ? [{ name: holders, isNumber: true }] : [])];
    const isOwn = listed === own;
    const toRow = (role: Role): Cell[] => [
      html`<a href=${toRolePath(role)}><bdi>${toRoleName(role, language)}</bdi></a>`,
      isOwn ? html`<bdi>${role.description ?? ''}</bdi>` : '',
      role.scopes === null ? messages.everything : messages.permissions(role.scopes.length),
      ...(admins ? [String(listHolders(admins, role).length)] : []),
    ];
    const withoutAbout = <T>(cells: T[]) => (isOwn ? cells : cells.filter((_, index) => index !== 1));
    return dataTable({
      caption,
      columns: withoutAbout(columns),
      rows: listed.map((role) => withoutAbout(toRow(role))),
    });
  };
  return html`
    <p>${messages.about}</p>
    <h2>${messages.own}</h2>
    ${own.length === 0 ? emptyState(messages.none, canCreate && create) : table(messages.own, own)}
    ${own.length > 0 && canCreate && html`<p><a class="button" href=${create.href}>${create.text}</a></p>`}
    <h2>${messages.builtIn}</h2>
    ${table(messages.builtIn, builtIn)}
    ${apiCalls([{ operationId: 'listRoles' }, { operationId: 'createRole' }], language)}
  `;
}

/** The actions on a resource, in the order in which a form offers them. */
const ACTIONS: readonly ScopeAction[] = ['use', 'read', 'write', 'remind', 'send', 'delete'];

/** Groups scopes by their resource, in the order of the resources' names. */
export function groupScopes<S extends string>(scopes: readonly S[], language: Language): [string, S[]][] {
  const { resources } = scopeNames[language];
  const toName = (resource: ScopeResource) => resources[resource] ?? resource;
  const toPlace = (scope: string) => ACTIONS.indexOf(toScopeAction(scope));
  const groups = [...Map.groupBy(scopes, toScopeResource)].map(([resource, own]): [string, S[]] => [
    toName(resource),
    own.toSorted((one, other) => toPlace(one) - toPlace(other)),
  ]);
  return groups.toSorted(([a], [b]) => a.localeCompare(b, language));
}

/** Returns the name of the action that a scope permits on its resource. */
export function toActionName(scope: string, language: Language): string {
  return scopeNames[language].actions[toScopeAction(scope)] ?? scope;
}

export interface RoleView extends RolesView {
  role: Role;
  formToken: string;
  /** The admin who was selected in a rejected form. */
  chosen: string;
  faults: FormFaults;
}

/** Renders a role with its permissions, the admins who have it, and the form that gives it to an admin. */
export function roleContent(view: RoleView): Html {
  const { language, caller, role, admins, faults } = view;
  const messages = rolesMessages[language];
  const holders = admins && listHolders(admins, role);
  const isChangeable = role.id !== null && hasAllScopes(caller, role.scopes);
  const path = role.id === null ? {} : { path: { roleId: role.id } };
  const isReadable = role.scopes !== null;
  return html`
    <p><a href=${ROLES_PATH}>${messages.back}</a></p>
    ${formFault(faults.whole)}
    <p>${role.id === null ? messages.fixed : html`<bdi>${role.description ?? messages.noDescription}</bdi>`}</p>
    ${role.role === 'manager' && html`<p class="note">${messages.ofManagers}</p>`}
    <h2>${messages.scopes}</h2>
    ${isReadable ? scopeFacts(role.scopes!, language) : html`<p>${messages.everything}.</p>`}
    <ul class="items">
      ${isChangeable && canCall(caller, 'updateRole') && html`<li><a href=${toRolePath(role, '/edit')}>${messages.edit}</a></li>`}
      ${isChangeable && canCall(caller, 'deleteRole') && html`<li><a href=${toRolePath(role, '/delete')}>${messages.remove}</a></li>`}
    </ul>
    ${
      holders &&
      html`<h2>${messages.admins}</h2>
        ${holdersList(holders, language)}`
    }
    ${admins && canCall(caller, 'updateAdmin') && hasAllScopes(caller, role.scopes) && assignForm({ ...view, admins })}
    ${apiCalls([{ operationId: 'updateRole', ...path }, { operationId: 'deleteRole', ...path }, { operationId: 'updateAdmin' }], language)}
  `;
}

function scopeFacts(scopes: readonly string[], language: Language): Html {
  return facts(
    groupScopes(scopes, language).map(([name, own]) => [
      name,
      own.map((scope) => toActionName(scope, language)).join(', '),
    ]),
  );
}

function holdersList(holders: readonly Admin[], language: Language): Html {
  if (holders.length === 0) return html`<p>${rolesMessages[language].noAdmins}</p>`;
  return html`<ul>
    ${holders.map(
      (admin) =>
        html`<li>
          <a href=${`${ADMINS_PATH}/${admin.id}`}><bdi>${formatFullName(admin)}</bdi></a>
        </li>`,
    )}
  </ul>`;
}

function assignForm({ language, role, admins, formToken, chosen, faults }: RoleView & { admins: readonly Admin[] }) {
  const messages = rolesMessages[language];
  const others = admins.filter((admin) => !listHolders([admin], role).length && admin.managedBy === null);
  if (others.length === 0) return undefined;
  const options = others.map((admin) => [admin.id, `${formatFullName(admin)} (${admin.email})`] as const);
  const field = {
    ...{ name: 'adminId', label: messages.assign, hint: messages.assignAbout },
    options: [['', messages.nobody] as const, ...options],
    also: { required: true },
  };
  return html`<form method="post" action=${toRolePath(role, '/admins')}>
    ${hiddenFields(formToken)} ${selectField(field, { adminId: chosen }, faults.fields)}
    <button type="submit">${messages.assignButton}</button>
  </form>`;
}

/** Renders the page that confirms the deletion of a role, or the list of the admins who still have it. */
export function deleteRoleContent({ language, role, admins, formToken, faults }: RoleView): Html {
  const messages = rolesMessages[language];
  const holders = listHolders(admins ?? [], role);
  if (holders.length > 0)
    return html`<p>${messages.inUse(holders.length)}</p>
      ${holdersList(holders, language)}
      <p><a href=${toRolePath(role)}>${messages.keep}</a></p>`;
  return html`${formFault(faults.whole)}
  ${confirmation({
    about: messages.removeAbout,
    action: toRolePath(role, '/delete'),
    hidden: hiddenFields(formToken),
    button: messages.removeButton,
    keep: { href: toRolePath(role), text: messages.keep },
  })}`;
}
