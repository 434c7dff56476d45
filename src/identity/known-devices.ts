/**
 * A device on which a person has signed in is known by a cookie that outlives the session. It signs nobody in. It tells the
 * requests of the person from those of strangers, who can ask for mailed links too: bounds on links count them apart, so no
 * stranger uses up those of the person. One cookie serves everybody who signs in on the device; the database has its SHA-256,
 * beside each person. It ends with another address, with "sign out everywhere", and 180 days after the last sign-in.
 */
import { hash } from 'node:crypto';
import { literal, sql } from '../db/sql.ts';
import { mutation } from '../db/statement.ts';
import type { TenantWriter } from '../db/tenant.ts';
import { KINDS, type PersonKind } from './people.ts';

const KEPT_DAYS = 180;
/** Devices of a person. One more ends the one that has not signed in for longest. */
const MAX_DEVICES = 20;

const FORMAT = /^[\w-]{43}$/;

/** The secret of a device that has none yet. It follows from the secret of its session, so no row needs to hold it. */
export function deriveDeviceToken(sessionToken: string): string {
  return hash('sha256', `device ${sessionToken}`, 'base64url');
}

/** The SHA-256 of the secret of a device; undefined for what is not such a secret. */
export function hashDeviceToken(text: string): Buffer | undefined {
  return FORMAT.test(text) ? hash('sha256', text, 'buffer') : undefined;
}

/** The SHA-256 of the secret that a device has shown at a sign-in, or of the one that it gets with the session. */
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
      select p.company_id, ${p.deviceHash}, p.id, p.id, now() + ${literal(KEPT_DAYS)} * interval '1 day'
        from ${KINDS[kind].table} p where p.company_id = ${p.companyId} and p.id = ${p.personId}
      on conflict (company_id, token_hash, person_id) do update set expires_at = excluded.expires_at`,
  );
const remembering = { learner: remember('learner'), admin: remember('admin') };

const forgetOldest = (kind: PersonKind) =>
  mutation<{ personId: string }>(
    `device_forget_oldest_of_${kind}`,
    (p) => sql`
      delete from known_devices where company_id = ${p.companyId} and person_id = ${p.personId} and token_hash in (
        select token_hash from known_devices
         where company_id = ${p.companyId} and ${KINDS[kind].column} = ${p.personId}
         order by expires_at desc, token_hash offset ${literal(MAX_DEVICES)})`,
  );
const forgetting = { learner: forgetOldest('learner'), admin: forgetOldest('admin') };

/** Stores the device on which a person, who is locked, has signed in. */
export async function rememberDevice(tenant: TenantWriter, kind: PersonKind, device: Device): Promise<void> {
  await tenant.mutate(remembering[kind], device);
  await tenant.mutate(forgetting[kind], { personId: device.personId });
}
