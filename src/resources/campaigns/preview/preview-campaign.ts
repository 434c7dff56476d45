// Preview of a campaign: the effects of evaluating it now, or at the campaign's start.
//
// The preview uses the same query builders as the evaluation (expected-assignments.ts, audience.ts) and the messages
// (messages/mail-days.ts). It reads 1,000 learners at a time, so that no statement reads all of a large company. It can
// miss a change to a learner that happens during the preview.
import { NIL } from 'uuid';
import type { Schemas } from '../../../contract/contract.ts';
import type { TenantReader } from '../../../db/tenant.ts';
import { countToEnd } from '../ending-repository.ts';
import * as repository from './preview-repository.ts';

const LEARNERS_TO_A_PAGE = 1000;

/**
 * Adds up what a campaign would do for all learners.
 * @param options.countsPaused whether a paused campaign counts as if it were active
 */
export async function previewCampaign(
  tenant: TenantReader,
  campaignId: string,
  { countsPaused }: { countsPaused: boolean },
): Promise<Omit<Schemas['CampaignPreview'], 'simulations'>> {
  const clashes = await tenant.queryAll(repository.clashes, { campaignId });
  const otherIds = clashes.map((clash) => clash.campaignId);
  const sums = { learners: 0, assignments: 0, completedAtOnce: 0 };
  const [shared, days, dueDays] = [new Counts(), new Counts(), new Counts()];
  for await (const learnerIds of pages(tenant)) {
    const page = { campaignId, learnerIds };
    for (const { days: ofPage, dueDays: dueOfPage, ...figures } of await tenant.queryAll(repository.previewFigures, {
      ...page,
      countsPaused,
    })) {
      for (const name of ['learners', 'assignments', 'completedAtOnce'] as const) sums[name] += figures[name];
      for (const [day, messages] of Object.entries(ofPage)) days.add(day, messages);
      for (const [day, assignments] of Object.entries(dueOfPage)) dueDays.add(day, assignments);
    }
    if (otherIds.length === 0) continue;
    const rows = await tenant.queryAll(repository.sharedLearners, { ...page, otherIds });
    for (const { campaignId: otherId, learners } of rows) shared.add(otherId, learners);
  }
  return {
    ...sums,
    messages: [...days].toSorted().map(([day, messages]) => ({ day, messages })),
    dueDays: [...dueDays].toSorted().map(([day, assignments]) => ({ day, assignments })),
    clashes: clashes.map((clash) => ({ ...clash, learners: shared.get(clash.campaignId) ?? 0 })),
  };
}

/** Counts the open assignments that the campaign no longer requires. The next evaluation ends them. */
export async function countEnding(
  tenant: TenantReader,
  campaignId: string,
): Promise<Schemas['CampaignAssignmentCounts']> {
  const sums = { learners: 0, assignments: 0 };
  for await (const learnerIds of pages(tenant)) {
    const [{ learners, assignments } = sums] = await tenant.queryAll(countToEnd, {
      learnerIds,
      campaignIds: [campaignId],
    });
    sums.learners += learners;
    sums.assignments += assignments;
  }
  return sums;
}

/** Yields the ids of the active learners, page by page. */
async function* pages(tenant: TenantReader): AsyncGenerator<string[]> {
  let afterId: string = NIL;
  for (;;) {
    const rows = await tenant.queryAll(repository.previewedLearners, { afterId, limit: LEARNERS_TO_A_PAGE });
    if (rows.length > 0) yield rows.map(({ id }) => id);
    if (rows.length < LEARNERS_TO_A_PAGE) return;
    afterId = rows.at(-1)!.id;
  }
}

class Counts extends Map<string, number> {
  add(key: string, count: number): void {
    this.set(key, (this.get(key) ?? 0) + count);
  }
}
