import { ApiError, type ErrorCode } from '../../contract/errors.ts';
import { namesTag } from '../../contract/etags.ts';

/** Error types that RFC 7644 defines (section 3.12). */
export type ScimType =
  'invalidFilter' | 'invalidPath' | 'invalidSyntax' | 'invalidValue' | 'mutability' | 'noTarget' | 'uniqueness';

const STATUS: Partial<Record<ScimType, number>> = { uniqueness: 409 };

/** An error with a specific SCIM type or status. */
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

/** Error codes that SCIM reports with status 409. */
const UNIQUENESS_CODES: readonly ErrorCode[] = ['email_taken', 'external_learner_id_taken', 'group_name_taken'];

/** Returns the SCIM type of an error; undefined if it has none. */
export function getScimType(error: ApiError): ScimType | undefined {
  if (error instanceof DirectoryError) return error.scimType;
  if (UNIQUENESS_CODES.includes(error.code)) return 'uniqueness';
  if (error.status !== 400) return undefined;
  const isUnread = error.code === 'unsupported_media_type' || error.details[0]?.field === 'body';
  return isUnread ? 'invalidSyntax' : 'invalidValue';
}

/** Returns the status that RFC 7644 defines for an error. */
export function getScimStatus(error: ApiError): number {
  return UNIQUENESS_CODES.includes(error.code) ? 409 : error.status;
}

/** Requires that `If-Match` names the current version. SCIM versions are weak tags, even in `If-Match`. @throws 412 */
export function requireVersion(expectedVersion: string | undefined, version: string): void {
  if (expectedVersion === undefined || namesTag(expectedVersion, version)) return;
  throw new DirectoryError(undefined, 'The resource has changed since you read it; read it again.', 412);
}
