import type pg from 'pg';
import { NIL } from 'uuid';
import { createTenantReader } from '../../../db/tenant-session.ts';
import type { Rows } from '../../../db/rows.ts';
import type { Origin } from '../../../auth/caller.ts';
import { readPersonToken } from '../../../identity/person-token.ts';
import { limitUnauthenticatedLookups } from '../../../identity/unauthenticated-lookups.ts';
import { findFile, packedBytes, type PackedFile, readPacked } from './scorm-runtime-repository.ts';

/** A file of a package that a window has open. */
export interface OpenFile extends Pick<PackedFile, 'standard' | 'contentType' | 'sizeBytes' | 'isDeflated'> {
  companyId: string;
  /** All of its bytes as they are packed: of one that may be held whole. */
  whole: () => Promise<Buffer>;
  /** The same, part by part. @param from which of them, counted from 0; all unless given */
  parts: (from?: { start: number; end: number }) => Rows<{ bytes: Buffer }>;
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

  /** Undefined for a secret that opens nothing, and for a file that the package does not have. */
  async findFile(token: string, path: string, from: Pick<Origin, 'address'>): Promise<OpenFile | undefined> {
    const personToken = readPersonToken(token);
    if (!personToken) return undefined;
    const { companyId, tokenHash } = personToken;
    // Nothing proves yet that there is such a window.
    const unproved = createTenantReader(this.#pool, companyId, NIL);
    const file = await limitUnauthenticatedLookups(from, () => findFile(unproved, tokenHash, path));
    if (!file) return undefined;
    const tenant = createTenantReader(this.#pool, companyId, companyId);
    const { standard, contentType, sizeBytes, isDeflated } = file;
    return {
      ...{ companyId, standard, contentType, sizeBytes, isDeflated },
      whole: () => readPacked(tenant, file),
      parts: (part) => packedBytes(tenant, file, part),
    };
  }
}
