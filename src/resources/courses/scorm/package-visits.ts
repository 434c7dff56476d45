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
  /** Returns all packed bytes. Only for a file that fits in memory. */
  whole: () => Promise<Buffer>;
  /** Streams the packed bytes. @param from zero-based, inclusive range; all bytes by default */
  parts: (from?: { start: number; end: number }) => Rows<{ bytes: Buffer }>;
}

/**
 * Opens package files by a secret in their address, because the frame of a package has no cookies. The secret opens the
 * files of one package while one window has it open, and nothing else.
 */
export class PackageVisits {
  readonly #pool: pg.Pool;

  constructor(pool: pg.Pool) {
    this.#pool = pool;
  }

  /** Returns undefined if the secret opens nothing, or the package does not have the file. */
  async findFile(token: string, path: string, from: Pick<Origin, 'address'>): Promise<OpenFile | undefined> {
    const personToken = readPersonToken(token);
    if (!personToken) return undefined;
    const { companyId, tokenHash } = personToken;
    // At this point nothing proves that the window exists.
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
