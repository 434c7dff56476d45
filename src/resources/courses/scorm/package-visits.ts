import type pg from 'pg';
import { NIL } from 'uuid';
import { createTenantReader } from '../../../db/tenant-session.ts';
import type { TenantReader } from '../../../db/tenant.ts';
import type { Origin } from '../../../auth/caller.ts';
import { readPersonToken } from '../../../identity/person-token.ts';
import { limitUnauthenticatedLookups } from '../../../identity/unauthenticated-lookups.ts';

/** A window that asks for a file of a package, by the secret in its address. */
export interface PackageVisit {
  tokenHash: Buffer;
  /** Looks for what the secret opens: nothing proves yet that there is such a window. */
  lookUp: <T>(find: (tenant: TenantReader) => Promise<T>) => Promise<T>;
  /** To read what was found. */
  tenant: TenantReader;
}

/**
 * The frame of a package has no cookies, so the addresses of its files have a secret instead. It opens the files of one
 * package while one window has it open, and nothing else.
 */
export class PackageVisits {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Undefined for what is no such secret. Whether there is such a window, its statement says. */
  find(token: string, from: Pick<Origin, 'address'>): PackageVisit | undefined {
    const asked = readPersonToken(token);
    if (!asked) return undefined;
    const { companyId, tokenHash } = asked;
    const unproved = createTenantReader(this.#pool, companyId, NIL);
    return {
      tokenHash,
      lookUp: (find) => limitUnauthenticatedLookups(from, () => find(unproved)),
      tenant: createTenantReader(this.#pool, companyId, companyId),
    };
  }
}
