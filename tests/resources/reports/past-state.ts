import { post } from '../../support/client.ts';

export const DAY_MS = 86_400_000;
export const daysAgo = (days: number): string => new Date(Date.now() - days * DAY_MS).toISOString();
export const dayBefore = (days: number): string => daysAgo(days).slice(0, 10);

let count = 0;
/** Returns a value that no other test uses, such as an event id. */
export const uniqueId = (): string => `past-${++count}`;

/** Creates a learner who is in no group and no course. */
export async function createLearner(): Promise<string> {
  const email = `past${++count}@tenant.test`;
  const { body } = await post('/learners', { email, firstName: 'Past', lastName: `No ${count}`, locale: 'en' });
  return body.data.id;
}

/** Waits for the next day if it begins soon: `passDay` moves times by 24 hours, so that a test must not span midnight. */
export async function waitPastMidnight(): Promise<void> {
  const left = DAY_MS - (Date.now() % DAY_MS);
  if (left < 30_000) await new Promise((resolve) => setTimeout(resolve, left + 100));
}
