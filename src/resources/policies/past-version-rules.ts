import { ApiError, invalidField, refusalError } from '../../contract/errors.ts';
import type { VersionNumber } from './policy-rules.ts';

/** A version that another system published before the live one. */
export interface PastVersion extends VersionNumber {
  name: string;
  /** Time of publication, in ISO 8601 and UTC. */
  publishedAt: string;
}

/** A version that the policy already has. */
export interface PresentVersion extends PastVersion {
  /** SHA-256 of the version's file, in hexadecimal. */
  sha256: string;
  /** Whether another system published the version. */
  isRecorded: boolean;
  isLive: boolean;
}

/**
 * Reads the time at which another system published a version.
 * @throws invalid_request if the time is in the future or before 1970, when the ids of versions begin
 */
export function readPublishedAt(publishedAt: string, now: Date): string {
  const at = new Date(publishedAt);
  if (at.getTime() < 0) throw invalidField('body/publishedAt', 'must be in 1970 or later');
  if (at > now) throw invalidField('body/publishedAt', 'must not be in the future');
  return at.toISOString();
}

/**
 * Reports whether a past version must be recorded; false if it already is. A past version with a date among those of
 * versions published in the service would contradict what the service has shown. A number below the live version's
 * cannot clash with the numbers of later publications.
 * @param present existing versions of the policy; empty if it has no live version
 * @throws policy_not_live, invalid_request or policy_version_taken
 */
export function isNewVersion(past: PastVersion & { sha256: string }, present: readonly PresentVersion[]): boolean {
  const live = present.find(({ isLive }) => isLive);
  if (!live) throw new ApiError('policy_not_live', 'The policy has no live version; publish the newest version first.');
  if (present.some((version) => version.isRecorded && areSame(version, past))) return false;
  const own = present.filter(({ isLive, isRecorded }) => isLive || !isRecorded).map(({ publishedAt }) => publishedAt);
  const end = own.toSorted()[0]!;
  if (past.publishedAt >= end) {
    throw invalidField(
      'body/publishedAt',
      `must be before ${end}, when the live version or an earlier one of this service was published`,
    );
  }
  if (present.some(({ publishedAt }) => publishedAt === past.publishedAt)) throw taken('publishedAt');
  if (compareNumbers(past, live) >= 0) {
    throw invalidField('body/majorVersion', `must be lower than the number of the live version (${format(live)})`);
  }
  if (present.some((version) => compareNumbers(version, past) === 0)) throw taken('majorVersion');
  return true;
}

function areSame(a: PastVersion & { sha256: string }, b: PastVersion & { sha256: string }): boolean {
  const serializeContent = ({ name, publishedAt, major, minor, sha256 }: typeof a) =>
    JSON.stringify([name, publishedAt, major, minor, sha256]);
  return serializeContent(a) === serializeContent(b);
}

function compareNumbers(a: VersionNumber, b: VersionNumber): number {
  return a.major - b.major || a.minor - b.minor;
}

function format({ major, minor }: VersionNumber): string {
  return `${major}.${minor}`;
}

function taken(field: 'publishedAt' | 'majorVersion'): ApiError {
  const what = field === 'publishedAt' ? 'time' : 'number';
  const message = `Another version of the policy has this ${what}; use the ${what} of the past version.`;
  return refusalError({ code: 'policy_version_taken', message, fields: [field] });
}
