import type { Schemas } from '../../../contract/contract.ts';
import { tagResult } from '../../../operations/entity-tag.ts';

/** Returns the version of a campaign for a form: its ETag without quotes. */
export function toVersion(campaign: Schemas['Campaign']): string {
  return tagResult(campaign)!.tag.slice(1, -1);
}

/** Returns the `If-Match` that requires the version of a form. */
export function toIfMatch(version: string): string {
  return `"${version}"`;
}
