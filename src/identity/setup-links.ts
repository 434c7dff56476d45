import type pg from 'pg';
import { type Caller, callerByLink, type Origin } from '../auth/caller.ts';
import { hashSetupToken, isWellFormedSetupToken } from './setup-token.ts';

/** Whom a setup link invites, and the company that it opens for them. */
export interface AdminSetup {
  /** The caller when the admin submits the form. */
  callerFrom: (origin: Origin) => Caller;
  adminId: string;
  tokenHash: Buffer;
  companyName: string;
  email: string;
  firstName: string;
  lastName: string;
  locale: string | null;
}

interface SetupRow {
  company_id: string;
  company_name: string;
  admin_id: string;
  email: string;
  first_name: string;
  last_name: string;
  locale: string | null;
}

/** Turns the secret of a setup link into the admin whom it invites. */
export class SetupLinks {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Undefined for a secret that is malformed, unknown, expired, replaced or used up. */
  async find(token: string): Promise<AdminSetup | undefined> {
    if (!isWellFormedSetupToken(token)) return undefined;
    const tokenHash = hashSetupToken(token);
    const { rows } = await this.#pool.query<SetupRow>({
      name: 'find_admin_setup',
      text: 'select * from find_admin_setup($1)',
      values: [tokenHash],
    });
    const row = rows[0];
    if (!row) return undefined;
    const { company_id: companyId, admin_id: adminId } = row;
    return {
      callerFrom: (origin) => callerByLink(companyId, { type: 'admin', id: adminId }, origin),
      adminId,
      tokenHash,
      companyName: row.company_name,
      email: row.email,
      firstName: row.first_name,
      lastName: row.last_name,
      locale: row.locale,
    };
  }
}
