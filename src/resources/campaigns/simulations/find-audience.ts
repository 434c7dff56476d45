import { NIL } from 'uuid';
import type { TenantReader } from '../../../db/tenant.ts';
import * as repository from './round-repository.ts';

const LEARNERS_TO_A_PAGE = 1000;

/** Finds the learners who would get a simulation of the campaign now. Reads 1,000 learners of the company at a time. */
export async function findAudience(tenant: TenantReader, campaignId: string): Promise<string[]> {
  const found: string[] = [];
  for (let afterId: string = NIL; ;) {
    const page = await tenant.queryAll(repository.audiencePage, { campaignId, afterId, limit: LEARNERS_TO_A_PAGE });
    found.push(...page.flatMap(({ id, isIncluded }) => (isIncluded ? [id] : [])));
    if (page.length < LEARNERS_TO_A_PAGE) return found;
    afterId = page.at(-1)!.id;
  }
}
