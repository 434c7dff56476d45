import { post } from '../../support/client.ts';
import type { Result } from '../courses/result-state.ts';

export interface CorrectionItem {
  eventId: string;
  action: 'void' | 'replace' | 'restore';
  reason?: string;
  replacement?: Partial<Result>;
}

/** Sends corrections of course results. */
export const correct = (...items: CorrectionItem[]) =>
  post('/corrections', {
    corrections: items.map((item) => ({ kind: 'course_result', reason: 'Recorded by mistake', ...item })),
  });

/** Corrects, expects every correction to be made, and returns which of them changed something. */
export async function corrected(...items: CorrectionItem[]): Promise<boolean[]> {
  const { status, body } = await correct(...items);
  expect({ status, failures: body.data?.failures }).toEqual({ status: 200, failures: [] });
  return body.data.completed.map(({ changed }: { changed: boolean }) => changed);
}
