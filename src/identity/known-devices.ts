/**
 * Known devices: a long-lived cookie recognises a device on which a person has signed in. It outlives the session, and
 * signs nobody in. It distinguishes the person's own requests for mailed links from requests by strangers, who can also
 * request links. Limits count the two separately, so no stranger uses up the person's limit.
 *
 * All people who sign in on a device share its cookie. The database has the SHA-256 of the secret, once for each
 * person. The record is deleted if the person is deactivated or gets another e-mail address, on "sign out everywhere",
 * and 180 days after the last sign-in.
 */
import { hash } from 'node:crypto';
import { literal, sql } from '../db/sql.ts';
import { mutation } from '../db/statement.ts';
import type { TenantWriter } from '../db/tenant.ts';
import { KINDS, type PersonKind } from './people.ts';

const RETENTION_DAYS = 180;
/** Maximum number of devices per person. A further device replaces the one with the oldest sign-in. */
const MAX_DEVICES = 20;

const FORMAT = /^[\w-]{43}$/;

/** Derives the secret of a new device from the secret of its session, so that no row needs to hold it. */
export function deriveDeviceToken(sessionToken: string): string {
  return hash('sha256', `device ${sessionToken}`, 'base64url');
}

/** Returns the SHA-256 of a device secret; undefined for a string in another format. */
export function hashDeviceToken(text: string): Buffer | undefined {
  return FORMAT.test(text) ? hash('sha256', text, 'buffer') : undefined;
}

/**
 * Returns the SHA-256 of the secret that a device sent at a sign-in, or of the secret that it gets with the session.
 */
export function deviceHashFor(shown: string, sessionToken: string): Buffer {
  return hashDeviceToken(shown) ?? hash('sha256', deriveDeviceToken(sessionToken), 'buffer');
}

interface Device {
  personId: string;
  deviceHash: Buffer;
}

const remember = (kind: PersonKind) =>
  mutation<Device>(
    `device_remember_of_${kind}`,
    (p) => sql`
      insert into known_devices (company_id, token_hash, person_id, ${KINDS[kind].column}, expires_at)
      select p.company_id, ${p.deviceHash}, p.id, p.id, now() + ${literal(RETENTION_DAYS)} * interval '1 day'
        from ${KINDS[kind].table} p where p.company_id = ${p.companyId} and p.id = ${p.personId}
      on conflict (company_id, token_hash, person_id) do update set expires_at = excluded.expires_at`,
  );
const remembering = { learner: remember('learner'), admin: remember('admin') };

const deleteOldest = (kind: PersonKind) =>
  mutation<{ personId: string }>(
    `device_forget_oldest_of_${kind}`,
    (p) => sql`
      delete from known_devices where company_id = ${p.companyId} and person_id = ${p.personId} and token_hash in (
        select token_hash from known_devices
         where company_id = ${p.companyId} and ${KINDS[kind].column} = ${p.personId}
         order by expires_at desc, token_hash offset ${literal(MAX_DEVICES)})`,
  );
const deletions = { learner: deleteOldest('learner'), admin: deleteOldest('admin') };

/** Stores the device on which a person has signed in. The caller must hold the lock of the person. */
export async function rememberDevice(tenant: TenantWriter, kind: PersonKind, device: Device): Promise<void> {
  await tenant.mutate(remembering[kind], device);
  await tenant.mutate(deletions[kind], { personId: device.personId });
}
