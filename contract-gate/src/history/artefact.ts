import { createHash } from 'node:crypto';
import { Ajv } from 'ajv';
import formats from 'ajv-formats';
import { type AcceptedBreak, acceptedBreaksSchema } from '../accepted-breaks.ts';
import type { JsonObject } from '../document.ts';

/** The contents of `release.json`, which lists the published files in the same folder. */
export interface Artefact {
  /** The version of the product. */
  release: string;
  /** The day of the release, as in the changelog. */
  date: string;
  /** The commit that made the release, if a later commit added `release.json`. */
  commit?: string;
  surfaces: ReleasedSurface[];
  /** The breaks that this release accepted. */
  acceptedBreaks: AcceptedBreak[];
}

export interface ReleasedSurface {
  name: string;
  /** `info.version` of an OpenAPI document; null for a surface without its own version. */
  version: string | null;
  /** The name of the copy in the folder of the release. */
  file: string;
  /** The path of the published file that was copied, from the root of the project. */
  source: string;
  sha256: string;
}

export const ARTEFACT = 'release.json';

const text = { type: 'string', minLength: 1 };
const schema = {
  type: 'object',
  required: ['release', 'date', 'surfaces', 'acceptedBreaks'],
  properties: {
    release: text,
    date: { type: 'string', format: 'date' },
    commit: { type: 'string', pattern: '^[0-9a-f]{40,64}$' },
    surfaces: {
      type: 'array',
      minItems: 1,
      items: {
        type: 'object',
        required: ['name', 'version', 'file', 'source', 'sha256'],
        properties: {
          name: text,
          version: { type: ['string', 'null'] },
          file: { type: 'string', pattern: '^[\\w.-]+$' },
          source: text,
          sha256: { type: 'string', pattern: '^[0-9a-f]{64}$' },
        },
        additionalProperties: false,
      },
    },
    acceptedBreaks: acceptedBreaksSchema,
  },
  additionalProperties: false,
};

/** Parses `release.json`. @throws {Error} that describes the problem */
export function parseArtefact(content: string): Artefact {
  const parsed = JSON.parse(content) as Artefact;
  const ajv = new Ajv();
  formats.default(ajv);
  if (!ajv.validate(schema, parsed)) throw new Error(ajv.errorsText(ajv.errors, { dataVar: ARTEFACT }));
  return parsed;
}

export function computeDigest(content: string): string {
  return createHash('sha256').update(content).digest('hex');
}

/** Returns `info.version` of a document, or null if the document has none. */
export function versionIn(document: JsonObject): string | null {
  const { info } = document;
  const version = info && typeof info === 'object' && !Array.isArray(info) ? info.version : null;
  return typeof version === 'string' ? version : null;
}
