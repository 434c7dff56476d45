import { tagResult } from '../../operations/entity-tag.ts';

/** Returns the version of a resource for a form: its ETag without quotes, or an empty string if it has no ETag. */
export function toVersion(resource: object): string {
  return tagResult(resource)?.tag.slice(1, -1) ?? '';
}

/** Returns the `If-Match` that requires the version of a form. */
export function toIfMatch(version: string): string {
  return `"${version}"`;
}
