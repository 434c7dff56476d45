import { literal, sql } from '../../db/sql.ts';
import { mutation } from '../../db/statement.ts';
import type { TenantWriter } from '../../db/tenant.ts';
import { type InviteAges, requireInvitePlace } from './mail-bounds.ts';
import { JOBS_OF_QUEUED } from './outbox.ts';

/** Priority of invitations, which are sent before messages about courses and policies. */
const PRIORITY_INVITE = 0;

const invites = mutation<{ email: string }, InviteAges>(
  'message_invites',
  (p) => sql`
    select from_company as "fromCompany", to_address as "toAddress", of_company as "ofCompany"
      from lock_invite_places(${p.email})`,
);

const queueInvite = mutation<{ adminId: string; token: string }>(
  'message_queue_invite',
  (p) => sql`
    with admin as (
      select company_id, id, address_hash(email) as hash from admins
       where company_id = ${p.companyId} and id = ${p.adminId}
    ), logged as (
      insert into mail_log (company_id, address_hash, is_invite) select company_id, hash, true from admin
      returning company_id
    ), queued as (
      insert into messages (company_id, id, kind, admin_id, setup_token)
      select company_id, gen_random_uuid(), 'admin_invite', id, ${p.token} from admin
      returning company_id, id, ${literal(PRIORITY_INVITE)}::smallint as priority
    )${JOBS_OF_QUEUED}`,
);

const cancelInvites = mutation<{ adminId: string }>(
  'message_cancel_invites',
  (p) => sql`
    update messages set status = 'cancelled', reason = 'replaced', setup_token = null, settled_at = now()
     where company_id = ${p.companyId} and admin_id = ${p.adminId} and status = 'queued'`,
);

/**
 * Requires that an e-mail address can be invited. Other invitations to the address or by the company wait until the
 * transaction ends. Call this before the transaction writes: on Citus, it could not read across companies after a
 * write.
 * @throws rate_limited if the address or the company has reached a limit
 */
export async function lockInvitePlace(tenant: TenantWriter, email: string): Promise<void> {
  requireInvitePlace((await tenant.mutate(invites, { email }))[0]!);
}

/**
 * Queues an admin's invitation with the secret of the setup link. Replaces an invitation that is still queued. Call
 * `lockInvitePlace` first.
 */
export async function queueAdminInvite(tenant: TenantWriter, adminId: string, token: string): Promise<void> {
  await tenant.mutate(cancelInvites, { adminId });
  await tenant.mutate(queueInvite, { adminId, token });
}
