import { createPersonToken, hashPersonToken } from '../../../src/identity/person-token.ts';
import { Admin } from '../../support/admin.ts';
import { get, put } from '../../support/client.ts';
import { companies } from '../../support/world.ts';
import { restoreAdminsAfterEach } from '../admins/admin-state.ts';
import { ask, GROUP, patch } from './directory-support.ts';

export const SETTING = '/company/admin-provisioning';
let number = 0;

/** Returns a name that no test has used. */
export const fresh = (name: string) => `${name}${(number += 1)}`;

/** Restores the admins, the setting and the domain after each test. Call it at the top of a test file. */
export function restoreProvisioningAfterEach(): void {
  restoreAdminsAfterEach();
  afterEach(async () => {
    await testService.query('delete from company_settings');
    await testService.query('delete from messages');
    await testService.query(`update companies set domain = 'tenant.test', domain_lock = false where id = $1`, [
      companies.tenant,
    ]);
  });
}

/** An admin as the API returns it. */
export interface ListedAdmin {
  id: string;
  email: string;
  role: string;
  managedBy: string | null;
}

const values = (...ids: string[]) => ids.map((value) => ({ value }));

/** Creates a group with members as a directory does, and returns its id. */
export async function makeGroup(...memberIds: string[]): Promise<string> {
  const body = { schemas: [GROUP], displayName: fresh('Provisioning '), members: values(...memberIds) };
  const created = await ask('POST', '/Groups', { body });
  expect(created.status).toBe(201);
  return created.body.id as string;
}

/** Adds members as Entra ID does. */
export const join = async (group: string, ...ids: string[]) => {
  const { status } = await patch(`/Groups/${group}`, { op: 'Add', path: 'members', value: values(...ids) });
  expect(status).toBe(204);
};
export const leave = (group: string, id: string) =>
  patch(`/Groups/${group}`, { op: 'Remove', path: 'members', value: values(id) });

/** Switches provisioning on for the given pairs of group and role. */
export async function provision(roles: Record<string, string>, others: object = {}) {
  const body = {
    enabled: true,
    roles: Object.entries(roles).map(([groupId, role]) => ({ groupId, role })),
    ...others,
  };
  const answer = await put(SETTING, body);
  expect(answer.status).toBe(200);
  return answer.body.data;
}

export const listAdmins = async () => (await get('/admins')).body.data as ListedAdmin[];
export const findAdmin = async (name: string) =>
  (await listAdmins()).find(({ email }) => email === `${name}@tenant.test`);
export const skippedMembers = async () => (await get(SETTING)).body.data.skipped;

export const noticesOf = async () =>
  testService.query(
    `select kind, count(*)::integer as count, max(cardinality(subject_ids)) as subjects
       from messages group by kind order by kind`,
  );

/** Signs an admin in with a mailed link. */
export async function signIn(id: string): Promise<Admin> {
  const token = createPersonToken(companies.tenant);
  await testService.query(
    `insert into sign_in_links (company_id, token_hash, admin_id, expires_at) values ($1, $2, $3, now() + interval '5 minutes')`,
    [companies.tenant, hashPersonToken(token), id],
  );
  return Admin.by(token);
}
export const isIn = async (admin: Admin) => !(await admin.get('/console')).html.includes('name="email"');
