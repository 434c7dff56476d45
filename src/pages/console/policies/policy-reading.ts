import type { Request, Response } from 'express';
import { ApiError } from '../../../contract/errors.ts';
import { tagResult } from '../../../operations/entity-tag.ts';
import { getAdmin } from '../admin.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import type { Policy } from './policy-page.ts';

export function toId(req: Request): string {
  return (req.params.policyId as string).toLowerCase();
}

/** @throws {ApiError} `not_found` */
export function readPolicy(runs: ConsoleRuns, req: Request, res: Response): Promise<Policy> {
  return runs.run('getPolicy', getAdmin(res).caller, { policyId: toId(req) });
}

/**
 * Returns the version of a policy's content, for a form. The ETag of the policy is unsuitable, because it changes with
 * each signature.
 */
export function toVersion({ liveVersionId, draft, updatedAt }: Policy): string {
  return [liveVersionId ?? '', draft ? draft.updatedAt : updatedAt].join(' ');
}

/**
 * Returns the `If-Match` of a policy that was just read.
 * @throws {ApiError} `changed_meanwhile` if its content is no longer the version of the form
 */
export function toIfMatch(policy: Policy, version: string): string {
  if (toVersion(policy) !== version)
    throw new ApiError('changed_meanwhile', 'The policy has changed in the meantime; read it again.');
  return tagResult(policy)!.tag;
}
