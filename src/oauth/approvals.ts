import type pg from 'pg';
import type { Origin } from '../auth/caller.ts';
import { hashSecret } from './verifier.ts';

/** Maximum number of keys that can be tried for one approval. */
export const MAX_TRIES = 5;

export interface Approval {
  /** The key to approve; undefined if none is chosen, or if the chosen key has since expired or been revoked. */
  key: { id: string; publicId: string; companyName: string; scopes: string[] | null } | undefined;
}

export interface ApprovedGrant {
  grantId: string;
  clientName: string | undefined;
  redirectHost: string;
  /** Origin of the approving request. */
  origin: Origin;
}

interface ApprovalRow {
  key_id: string | null;
  public_id: string;
  company_name: string;
  scopes: string[] | null;
}

/** Approvals in progress, by an id that only the approving person's browser knows. */
export class Approvals {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  async find(uid: string): Promise<Approval | undefined> {
    const { rows } = await this.#pool.query<ApprovalRow>('select * from find_approval($1)', [hashSecret(uid)]);
    const row = rows[0];
    if (!row) return undefined;
    const { key_id: id, public_id: publicId, company_name: companyName, scopes } = row;
    return { key: id === null ? undefined : { id, publicId, companyName, scopes } };
  }

  /**
   * Counts a try before the key is checked, so that parallel guesses cannot exceed the maximum.
   * @returns the number of tries so far, or undefined if no try is left
   */
  async takeTry(uid: string): Promise<number | undefined> {
    const { rows } = await this.#pool.query<{ tries: number }>(
      'update oauth_interactions set tries = tries + 1 where hash = $1 and tries < $2 returning tries',
      [hashSecret(uid), MAX_TRIES],
    );
    return rows[0]?.tries;
  }

  /** Sets the key to approve; null clears it. */
  async chooseKey(uid: string, keyId: string | null): Promise<void> {
    await this.#pool.query('update oauth_interactions set api_key_id = $2 where hash = $1', [hashSecret(uid), keyId]);
  }

  /** Claims an approval. Returns true for the first of several simultaneous calls, false for the others. */
  async claim(uid: string, keyId: string): Promise<boolean> {
    const { rowCount } = await this.#pool.query(
      'update oauth_interactions set api_key_id = null where hash = $1 and api_key_id = $2',
      [hashSecret(uid), keyId],
    );
    return rowCount === 1;
  }

  async end(uid: string): Promise<void> {
    await this.#pool.query('delete from oauth_interactions where hash = $1', [hashSecret(uid)]);
  }

  /** Records the grant's application, that its client is approved, and, in the audit log, who approved it. */
  async record({ grantId, clientName, redirectHost, origin }: ApprovedGrant): Promise<void> {
    const { requestId, address } = origin;
    const values = [grantId, clientName ?? null, redirectHost, requestId, address];
    await this.#pool.query('select approve_grant($1, $2, $3, $4, $5)', values);
  }
}
