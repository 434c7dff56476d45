import { v7 as uuidv7 } from 'uuid';
import { change, statement } from '../../db/knex-statement.ts';
import type { Rows } from '../../db/rows.ts';
import type { TenantReader, TenantWriter } from '../../db/tenant.ts';
import { notFound } from '../../errors.ts';
import type { RemovableAdmin } from './admin-rules.ts';

export interface AdminRow {
  id: string;
  email: string;
  first_name: string;
  last_name: string;
  locale: string | null;
  status: 'invited' | 'active';
  invited_at: string | null;
  created_at: string;
}

const COLUMNS = ['id', 'email', 'first_name', 'last_name', 'locale', 'status', 'invited_at', 'created_at'];

const list = statement<object, AdminRow>('admin_list', (sql, param) =>
  sql('admins').select(COLUMNS).where('company_id', param('companyId')).orderBy('id'),
);

export function listAdmins(tenant: TenantReader): Rows<AdminRow> {
  return tenant.rows(list, {});
}

const lock = change<{ adminId: string }, AdminRow>('admin_lock', (sql, param) =>
  sql('admins')
    .select(COLUMNS)
    .where({ company_id: param('companyId'), id: param('adminId') })
    .forNoKeyUpdate(),
);

/** The admin, whom nobody else changes until the transaction ends. @throws not_found */
export async function lockAdmin(tenant: TenantWriter, adminId: string): Promise<AdminRow> {
  const [row] = await tenant.run(lock, { adminId });
  if (!row) throw notFound('admin');
  return row;
}

export interface NewAdmin {
  email: string;
  firstName: string;
  lastName: string;
  locale?: string | undefined;
}

const insert = change<NewAdmin & { id: string }, object>('admin_insert', (sql, param) =>
  sql('admins').insert({
    company_id: param('companyId'),
    id: param('id'),
    email: param('email'),
    first_name: param('firstName'),
    last_name: param('lastName'),
    locale: param('locale'),
    status: sql.raw(`'invited'`),
  }),
);

/** Returns the id of the new admin, who has no setup link yet. */
export async function insertAdmin(tenant: TenantWriter, admin: NewAdmin): Promise<string> {
  const id = uuidv7();
  await tenant.run(insert, { id, ...admin });
  return id;
}

export interface AdminChanges {
  adminId: string;
  /** Undefined leaves a field alone. */
  email?: string | undefined;
  firstName?: string | undefined;
  lastName?: string | undefined;
  locale?: string | undefined;
}

const update = change<AdminChanges, AdminRow>('admin_update', (sql, param) =>
  sql('admins')
    .where({ company_id: param('companyId'), id: param('adminId') })
    .update({
      email: sql.raw('coalesce(?, email)', [param('email')]),
      first_name: sql.raw('coalesce(?, first_name)', [param('firstName')]),
      last_name: sql.raw('coalesce(?, last_name)', [param('lastName')]),
      locale: sql.raw('coalesce(?, locale)', [param('locale')]),
    })
    .returning(COLUMNS),
);

/** @throws not_found */
export async function updateAdmin(tenant: TenantWriter, changes: AdminChanges): Promise<AdminRow> {
  const [row] = await tenant.run(update, changes);
  if (!row) throw notFound('admin');
  return row;
}

const setLink = change<{ adminId: string; tokenHash: Buffer; days: number }, AdminRow>(
  'admin_set_setup_link',
  (sql, param) =>
    sql('admins')
      .where({ company_id: param('companyId'), id: param('adminId') })
      .update({
        setup_token_hash: param('tokenHash'),
        setup_expires_at: sql.raw(`now() + ?::integer * interval '1 day'`, [param('days')]),
        invited_at: sql.raw('now()'),
      })
      .returning(COLUMNS),
);

/** Makes a setup link of this hash the only one of the admin. @throws not_found */
export async function setSetupLink(
  tenant: TenantWriter,
  link: { adminId: string; tokenHash: Buffer; days: number },
): Promise<AdminRow> {
  const [row] = await tenant.run(setLink, link);
  if (!row) throw notFound('admin');
  return row;
}

const activate = change<{ adminId: string; tokenHash: Buffer; firstName: string; lastName: string }, { id: string }>(
  'admin_activate',
  (sql, param) =>
    sql('admins')
      .where({ company_id: param('companyId'), id: param('adminId'), setup_token_hash: param('tokenHash') })
      .where(sql.raw('setup_expires_at > now()'))
      .update({
        first_name: param('firstName'),
        last_name: param('lastName'),
        status: sql.raw(`'active'`),
        setup_token_hash: null,
        setup_expires_at: null,
      })
      .returning('id'),
);

/** Finishes the setup of an admin, once. Returns false when the link was used up or replaced meanwhile. */
export async function activateAdmin(
  tenant: TenantWriter,
  setup: { adminId: string; tokenHash: Buffer; firstName: string; lastName: string },
): Promise<boolean> {
  return (await tenant.run(activate, setup)).length > 0;
}

// All of the company, in one order: two removals at once cannot each leave the other's admin as the last.
const lockAll = change<object, RemovableAdmin>('admin_lock_all', (sql, param) =>
  sql('admins').select('id', 'status').where('company_id', param('companyId')).orderBy('id').forUpdate(),
);

/** Every admin, to decide whom to remove; they stay as they are until the transaction ends. */
export function lockAdmins(tenant: TenantWriter): Promise<RemovableAdmin[]> {
  return tenant.run(lockAll, {});
}

const remove = change<{ adminIds: string[] }, object>('admin_remove', (sql, param) =>
  sql('admins')
    .where('company_id', param('companyId'))
    .where(sql.raw('id = any(?::uuid[])', [param('adminIds')]))
    .delete(),
);

/** Removes admins with the messages to them. */
export async function removeAdmins(tenant: TenantWriter, adminIds: string[]): Promise<void> {
  await tenant.run(remove, { adminIds });
}
