import type pg from 'pg';
import { type Caller, callerByLink, type Origin } from '../auth/caller.ts';
import { hashSetupToken, isWellFormedSetupToken } from './setup-token.ts';

/** The admin whom a setup link invites, and the admin's company. */
export interface AdminSetup {
  /** Creates the caller for the form of the admin. */
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

/** The setup links of invited admins. */
export class SetupLinks {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /**
   * Finds the admin by the secret of a setup link; undefined for a malformed, unknown, expired, replaced or used
   * secret.
   */
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
