import { hash } from 'node:crypto';
import type pg from 'pg';

/** Lifetime of a challenge in seconds; within this time, the person must use the passkey. */
const SECONDS = 300;

/** The challenges that devices sign. Each challenge is valid once, for its purpose only. */
export class PasskeyChallenges {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /**
   * Stores a challenge. Also deletes expired ones.
   * @param adminId the admin who adds a passkey or confirms who they are; null for a sign-in
   */
  async keep(challenge: string, adminId: string | null): Promise<void> {
    await this.#pool.query({
      name: 'passkey_challenge_keep',
      text: `with old as (delete from passkey_challenges where expires_at < now())
             insert into passkey_challenges (hash, admin_id, expires_at)
             values ($1, $2, now() + $3::integer * interval '1 second')`,
      values: [hashChallenge(challenge), adminId, SECONDS],
    });
  }

  /** Deletes a challenge. Reports whether it was stored for the same purpose and has not expired. */
  async take(challenge: string, adminId: string | null): Promise<boolean> {
    const { rows } = await this.#pool.query<{ fits: boolean }>({
      name: 'passkey_challenge_take',
      text: `delete from passkey_challenges where hash = $1
             returning admin_id is not distinct from $2::uuid and expires_at > now() as fits`,
      values: [hashChallenge(challenge), adminId],
    });
    return rows[0]?.fits ?? false;
  }
}

function hashChallenge(challenge: string): Buffer {
  return hash('sha256', challenge, 'buffer');
}
