import { get } from '../../support/client.ts';

/** A list of the service, and how a client that copies it identifies its items. */
export interface CopiedList {
  path: string;
  items: (data: any) => any[];
  keyOf: (item: any) => string;
  /** Reports whether a removal applies to an item. */
  isGone: (item: any, removed: any) => boolean;
}

const byId = {
  items: (data: any) => data,
  keyOf: ({ id }: any) => id,
  isGone: (item: any, removed: any) => item.id === removed.id,
};
const byPair = {
  items: (data: any) => data,
  keyOf: ({ learnerId, courseId }: any) => `${learnerId} ${courseId}`,
  isGone: (item: any, removed: any) =>
    item.learnerId === removed.learnerId && [item.courseId, null].includes(removed.courseId),
};

export const learners: CopiedList = { path: '/learners', ...byId };
export const groups: CopiedList = { path: '/groups', ...byId };
export const courseResults: CopiedList = { path: '/reports/course-results', ...byPair };
export const courseResultsOfGroup = (groupId: string, period: string): CopiedList => ({
  path: `/reports/course-results?attempts=best&${period}&groupId=${groupId}`,
  ...byPair,
});
export const gapAnalysisResults: CopiedList = {
  path: '/reports/gap-analysis-results?attempts=all&includeInactive=true',
  ...byPair,
};
export const policyResults = (policyId: string, outcome: string): CopiedList => ({
  path: `/policies/${policyId}?outcome=${outcome}`,
  items: ({ results }) => results,
  keyOf: ({ learner }) => learner.id,
  isGone: (item, removed) => item.learner.id === removed.learnerId,
});

export const since = (path: string, updatedSince: string): string =>
  `${path}${path.includes('?') ? '&' : '?'}updatedSince=${updatedSince}`;

/** A client that reads the list once, and then only its changes. */
export class Copy {
  readonly list: CopiedList;
  #items: any[] = [];
  #syncedUntil = new Date().toISOString();

  constructor(list: CopiedList) {
    this.list = list;
  }

  async begin(): Promise<void> {
    this.#items = await this.whole();
  }

  /** Returns the number of changed items. */
  async sync(): Promise<number> {
    const { list } = this;
    const answer = await get(since(list.path, this.#syncedUntil));
    expect([answer.status, answer.text]).toEqual([200, expect.any(String)]);
    const { data, removed, syncedUntil } = answer.body as any;
    const changed = list.items(data);
    const keys = new Set(changed.map(list.keyOf));
    const kept = this.#items.filter((item) => !keys.has(list.keyOf(item)));
    this.#items = [...kept, ...changed].filter((item) => !removed.some((gone: any) => list.isGone(item, gone)));
    this.#syncedUntil = syncedUntil;
    return changed.length;
  }

  async whole(): Promise<any[]> {
    return this.list.items((await get(this.list.path)).body.data);
  }

  /** Items in the order of the service's list. */
  get items(): any[] {
    const text = (item: any) => this.list.keyOf(item) + String(item.attempt ?? '').padStart(5, '0');
    return this.#items.toSorted((a, b) => (text(a) < text(b) ? -1 : 1));
  }
}
