import type { Request, Response, Router } from 'express';
import { hasAllScopes } from '../../../auth/roles.ts';
import type { Schemas } from '../../../contract/contract.ts';
import { insufficientScope, notFound } from '../../../contract/errors.ts';
import { html } from '../../../http/html/html.ts';
import { publicError } from '../../../http/response/public-error.ts';
import { getForm } from '../../../http/body/form.ts';
import { newFormName } from '../../shared/parts/fields.ts';
import { redirectWithNotice, renderNotice } from '../../shared/parts/notice.ts';
import { canCall, getAdmin, requireCall } from '../admin.ts';
import { toRoleFields } from '../admins/role-field.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { type FormFaults, getFailureStatus, NO_FAULTS, toFormFaults } from '../form-faults.ts';
import { toIfMatch, toVersion } from '../form-version.ts';
import { roleFormContent } from './role-form.ts';
import { rolesMessages } from './roles-messages.ts';
import {
  deleteRoleContent,
  listHolders,
  roleContent,
  rolesContent,
  ROLES_PATH,
  toRoleName,
  toRolePath,
} from './roles-page.ts';

type Role = Schemas['Role'];

const FIELDS = ['name', 'description', 'scopes'];

/** A form that was not saved. */
interface Rejected {
  form: URLSearchParams;
  faults: FormFaults;
  status: number;
}

/** Adds the pages on which an admin sees the roles, and creates, changes, gives and deletes the company's own. */
export function addRolesPages(pages: Router, runs: ConsoleRuns): void {
  pages.get('/roles', (req, res) => showRoles(runs, req, res));
  pages.post('/roles', (req, res) => createRole(runs, req, res));
  pages.get('/roles/new', (_req, res) => showForm(runs, res, undefined));
  pages.get('/roles/:roleId', (req, res) => showRole(runs, req, res));
  pages.post('/roles/:roleId/admins', (req, res) => assignRole(runs, req, res));
  pages.get('/roles/:roleId/edit', async (req, res) => showForm(runs, res, await findRole(runs, req, res)));
  pages.post('/roles/:roleId/edit', (req, res) => updateRole(runs, req, res));
  pages.get('/roles/:roleId/delete', (req, res) => showDelete(runs, req, res));
  pages.post('/roles/:roleId/delete', (req, res) => deleteRole(runs, req, res));
}

type RoleRequest = Request<{ roleId: string }>;

async function showRoles(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const { caller, language } = getAdmin(res);
  const roles = await runs.run('listRoles', caller, {});
  const content = rolesContent({ language, caller, roles, admins: await readAdmins(runs, res) });
  const { title, notices } = rolesMessages[language];
  sendConsolePage(res, { title, content: html`${renderNotice(req, notices)} ${content}`, width: 'wide' });
}

async function showRole(runs: ConsoleRuns, req: RoleRequest, res: Response, rejected?: Rejected): Promise<void> {
  const role = await findRole(runs, req, res);
  const view = await readView(runs, res, role, rejected);
  const content = html`${renderNotice(req, rolesMessages[view.language].notices)} ${roleContent(view)}`;
  sendConsolePage(res, { status: rejected?.status ?? 200, title: toRoleName(role, view.language), content });
}

/** Shows the form of an existing or new role. */
async function showForm(runs: ConsoleRuns, res: Response, role: Role | undefined, rejected?: Rejected): Promise<void> {
  const { caller, language, formToken } = getAdmin(res);
  requireCall(caller, role ? 'updateRole' : 'createRole');
  if (role) requireOwn(res, role);
  const messages = rolesMessages[language];
  const stored = { name: role?.name ?? '', description: role?.description ?? '' };
  const { form, faults = NO_FAULTS, status = 200 } = rejected ?? {};
  const admins = role && (await readAdmins(runs, res));
  const content = roleFormContent({
    ...{ language, caller, formToken, role, faults, once: newFormName() },
    version: form?.get('version') ?? (role ? toVersion(role) : ''),
    holderCount: role && admins && listHolders(admins, role).length,
    typed: form ? Object.fromEntries(form) : stored,
    scopes: form?.getAll('scopes') ?? role?.scopes ?? [],
  });
  const title = role ? messages.editTitle(role.name) : messages.createTitle;
  sendConsolePage(res, { status, title, content });
}

async function createRole(runs: ConsoleRuns, req: Request, res: Response): Promise<void> {
  const form = getForm(req);
  try {
    const { id } = await runs.run(
      'createRole',
      getAdmin(res).caller,
      { body: toBody(form) as Schemas['CreateRoleInput'] },
      form.get('once') ?? '',
    );
    redirectWithNotice(res, toRolePath({ role: 'custom', id }), 'created');
  } catch (thrown) {
    await showForm(runs, res, undefined, toRejected(res, form, thrown));
  }
}

async function updateRole(runs: ConsoleRuns, req: RoleRequest, res: Response): Promise<void> {
  const form = getForm(req as Request);
  const role = await findRole(runs, req, res);
  requireCall(getAdmin(res).caller, 'updateRole');
  requireOwn(res, role);
  // If the form is sent twice, the role already has its values.
  if (isSaved(role, form)) return redirectWithNotice(res, toRolePath(role), 'saved');
  try {
    await runs.run('updateRole', getAdmin(res).caller, {
      ...{ roleId: role.id!, ifMatch: toIfMatch(form.get('version') ?? '') },
      body: toBody(form) as Schemas['UpdateRoleInput'],
    });
    redirectWithNotice(res, toRolePath(role), 'saved');
  } catch (thrown) {
    if (publicError(thrown).code === 'changed_meanwhile') return redirectWithNotice(res, toRolePath(role), 'conflict');
    await showForm(runs, res, role, toRejected(res, form, thrown));
  }
}

/** Gives a role to an admin. */
async function assignRole(runs: ConsoleRuns, req: RoleRequest, res: Response): Promise<void> {
  const form = getForm(req as Request);
  const role = await findRole(runs, req, res);
  const adminId = form.get('adminId') ?? '';
  try {
    await runs.run('updateAdmin', getAdmin(res).caller, { adminId, body: toRoleFields(role.id ?? role.role) });
    redirectWithNotice(res, toRolePath(role), 'assigned');
  } catch (thrown) {
    await showRole(runs, req, res, toRejected(res, form, thrown));
  }
}

async function showDelete(runs: ConsoleRuns, req: RoleRequest, res: Response, rejected?: Rejected): Promise<void> {
  const { caller } = getAdmin(res);
  requireCall(caller, 'deleteRole');
  const role = await findRole(runs, req, res);
  requireOwn(res, role);
  const view = await readView(runs, res, role, rejected);
  const title = rolesMessages[view.language].removeTitle(role.name);
  sendConsolePage(res, { status: rejected?.status ?? 200, title, content: deleteRoleContent(view) });
}

async function deleteRole(runs: ConsoleRuns, req: RoleRequest, res: Response): Promise<void> {
  const { roleId } = req.params;
  try {
    await runs.run('deleteRole', getAdmin(res).caller, { roleId });
    redirectWithNotice(res, ROLES_PATH, 'deleted');
  } catch (thrown) {
    await showDelete(runs, req, res, toRejected(res, getForm(req as Request), thrown));
  }
}

/** Finds a role by its id, or a built-in role by its kind. @throws {ApiError} `not_found` */
async function findRole(runs: ConsoleRuns, { params }: RoleRequest, res: Response): Promise<Role> {
  const roles = await runs.run('listRoles', getAdmin(res).caller, {});
  const found = roles.find(({ role, id }) => (id ?? role) === params.roleId.toLowerCase());
  if (!found) throw notFound('role');
  return found;
}

/** Reads the admins of the company; undefined if the signed-in admin cannot read them. */
async function readAdmins(runs: ConsoleRuns, res: Response): Promise<Schemas['Admin'][] | undefined> {
  const { caller } = getAdmin(res);
  if (!canCall(caller, 'listAdmins')) return undefined;
  const admins: Schemas['Admin'][] = [];
  for await (const admin of runs.items('listAdmins', caller)) admins.push(admin);
  return admins;
}

async function readView(runs: ConsoleRuns, res: Response, role: Role, rejected: Rejected | undefined) {
  const { language, caller, formToken } = getAdmin(res);
  const faults = rejected?.faults ?? NO_FAULTS;
  const chosen = rejected?.form.get('adminId') ?? '';
  return { language, caller, formToken, role, roles: [role], admins: await readAdmins(runs, res), chosen, faults };
}

/** @throws {ApiError} for a built-in role, and for one with more permissions than the signed-in admin has */
function requireOwn(res: Response, { id, scopes }: Role): void {
  if (id === null) throw notFound('role');
  const lacking = scopes!.find((scope) => !hasAllScopes(getAdmin(res).caller, [scope]));
  if (lacking !== undefined) throw insufficientScope(lacking);
}

function toBody(form: URLSearchParams) {
  const description = (form.get('description') ?? '').trim();
  return {
    ...{ name: form.get('name') ?? '', description: description === '' ? null : description },
    scopes: form.getAll('scopes'),
  };
}

/** Reports whether a role has the values of a form. */
function isSaved({ name, description, scopes }: Role, form: URLSearchParams): boolean {
  const body = toBody(form);
  const hasScopes = body.scopes.toSorted().join() === scopes!.toSorted().join();
  return hasScopes && name === body.name.trim() && description === body.description;
}

function toRejected(res: Response, form: URLSearchParams, thrown: unknown): Rejected {
  const { language } = getAdmin(res);
  const faults = toFormFaults(thrown, [...FIELDS, 'adminId'], language, rolesMessages[language].codes);
  return { form, faults, status: getFailureStatus(thrown) };
}
