import { ApiError, type ErrorCode } from '../../contract/errors.ts';
import { namesTag } from '../../contract/etags.ts';

/** What RFC 7644 (3.12) calls kinds of errors. */
export type ScimType =
  'invalidFilter' | 'invalidPath' | 'invalidSyntax' | 'invalidValue' | 'mutability' | 'noTarget' | 'uniqueness';

const STATUS: Partial<Record<ScimType, number>> = { uniqueness: 409 };

/** A failure that has a kind or a status of its own in SCIM. */
export class DirectoryError extends ApiError {
  readonly scimType: ScimType | undefined;
  readonly #status: number;

  constructor(scimType: ScimType | undefined, message: string, status = (scimType && STATUS[scimType]) ?? 400) {
    super('invalid_request', message);
    this.scimType = scimType;
    this.#status = status;
  }

  override get status(): number {
    return this.#status;
  }
}

/** What other transports answer with a 400 of their own. */
const TAKEN: readonly ErrorCode[] = ['email_taken', 'external_learner_id_taken', 'group_name_taken'];

/** The kind of any failure; undefined where it has none. */
export function getScimType(error: ApiError): ScimType | undefined {
  if (error instanceof DirectoryError) return error.scimType;
  if (TAKEN.includes(error.code)) return 'uniqueness';
  if (error.status !== 400) return undefined;
  const isUnread = error.code === 'unsupported_media_type' || error.details[0]?.field === 'body';
  return isUnread ? 'invalidSyntax' : 'invalidValue';
}

/** The status of any failure, by RFC 7644. */
export function getScimStatus(error: ApiError): number {
  return TAKEN.includes(error.code) ? 409 : error.status;
}

/** @throws 412 when a resource has another version than those in `If-Match`. Versions of SCIM are weak tags, there too. */
export function requireVersion(expectedVersion: string | undefined, version: string): void {
  if (expectedVersion === undefined || namesTag(expectedVersion, version)) return;
  throw new DirectoryError(undefined, 'The resource has changed: read it again.', 412);
}
