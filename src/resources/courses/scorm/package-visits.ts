import type pg from 'pg';
import { NIL } from 'uuid';
import { createTenantReader } from '../../../db/tenant-session.ts';
import type { Rows } from '../../../db/rows.ts';
import { toLanguage, type Language } from '../../../contract/languages.ts';
import { type Caller, callerByLink, type Origin } from '../../../auth/caller.ts';
import { localName } from '../course-names.ts';
import { type ContentWindowRow, findContentWindow } from './content-window-repository.ts';
import { readPersonToken } from '../../../identity/person-token.ts';
import { limitUnauthenticatedLookups } from '../../../identity/unauthenticated-lookups.ts';
import { listMenu, type MenuItem } from './package-menu.ts';
import { chooseItem, getItemState } from './package-state.ts';
import { NO_STATE, type ScormRuntimeState } from './scorm-runtime-rules.ts';
import { findFile, packedBytes, type PackedFile, readPacked } from './scorm-runtime-repository.ts';

/** A package file that a window can read. */
export interface OpenFile extends Pick<PackedFile, 'standard' | 'contentType' | 'sizeBytes' | 'isDeflated'> {
  companyId: string;
  /** Version of the file, for its ETag. */
  tag: string;
  /** Returns all packed bytes. Only for a file that fits in memory. */
  whole: () => Promise<Buffer>;
  /** Streams the packed bytes. @param from zero-based, inclusive range; all bytes by default */
  parts: (from?: { start: number; end: number }) => Rows<{ bytes: Buffer }>;
}

/** A window on the content host. */
export interface OpenWindow extends Omit<
  ContentWindowRow,
  'locale' | 'modules' | 'displayName' | 'localizedNames' | 'items' | 'state'
> {
  /** Name of the course in the learner's language. */
  name: string;
  language: Language;
  /** Position of the item that the window plays; −1 for a package without stored items. */
  position: number;
  item: ContentWindowRow['items'][number] | undefined;
  /** State of the item that the window plays. */
  state: ScormRuntimeState;
  menu: MenuItem[];
  tokenHash: Buffer;
  /** The learner as the caller on whose behalf reports are stored. */
  caller: Caller;
}

/**
 * Opens package files by a secret in their URL, because the frame of a package has no cookies. The secret opens only
 * the files of one package, and only while one window has the package open.
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
    // Nothing proves at this point that the window exists.
    const unproved = createTenantReader(this.#pool, companyId, NIL);
    const file = await limitUnauthenticatedLookups(from, () => findFile(unproved, tokenHash, path));
    if (!file) return undefined;
    const tenant = createTenantReader(this.#pool, companyId, companyId);
    const { standard, contentType, sizeBytes, isDeflated } = file;
    return {
      ...{ companyId, standard, contentType, sizeBytes, isDeflated },
      tag: `${file.sha256.toString('hex', 0, 12)}-${file.packedOffset}`,
      whole: () => readPacked(tenant, file),
      parts: (part) => packedBytes(tenant, file, part),
    };
  }

  /**
   * Returns undefined if the secret opens nothing.
   * @param requested position of the item to play; by default, the item that reported last
   */
  async findWindow(token: string, from: Origin, requested?: number): Promise<OpenWindow | undefined> {
    const personToken = readPersonToken(token);
    if (!personToken) return undefined;
    const { companyId, tokenHash } = personToken;
    const unproved = createTenantReader(this.#pool, companyId, NIL);
    const row = await limitUnauthenticatedLookups(from, () => findContentWindow(unproved, tokenHash));
    if (!row) return undefined;
    const { locale, modules, displayName, localizedNames, items, state, ...window } = row;
    const position = chooseItem(items, state, requested);
    const item = items[position];
    const played = {
      ...{ position, item, menu: listMenu(items, state) },
      launchPath: item?.launchPath ?? window.launchPath,
      state: getItemState(items, state, position) ?? NO_STATE,
    };
    const language = toLanguage(locale);
    const byLink = callerByLink(companyId, { type: 'learner', id: row.learnerId }, from);
    const caller = Object.freeze({ ...byLink, modules });
    return {
      ...window,
      ...played,
      name: localName({ displayName, localizedNames }, language),
      language,
      tokenHash,
      caller,
    };
  }
}
