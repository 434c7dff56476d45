import { call } from '../../support/client.ts';
import { deleteLearner, hireTwo, noteUncounted, one, people } from './random-changes.ts';

// Random merges of learners, and undoing them. A merge can be undone for 30 days.

interface LivedMerge {
  id: string;
  learnerId: string;
  intoLearnerId: string;
}

const merges: LivedMerge[] = [];
const MIN_PEOPLE = 6;

/** Merges two random learners. */
export async function mergeOne(): Promise<void> {
  if (people.length <= MIN_PEOPLE) return;
  const [learnerId, intoLearnerId] = [one(people), one(people)];
  if (learnerId === intoLearnerId) return;
  await noteUncounted(learnerId);
  const { status, body } = await call('tenant', 'POST', '/learner-merges', {
    body: { learnerId, intoLearnerId },
    alone: false,
  });
  expect({ status, error: body.error }).toEqual({ status: 200, error: undefined });
  merges.push({ id: body.data.id, learnerId, intoLearnerId });
  people.splice(people.indexOf(learnerId), 1);
}

const NOT_UNDOABLE = ['merge_not_undoable', 'not_found', 'email_taken', 'external_learner_id_taken'];

/** Undoes a random merge, if the service allows it. */
export async function undoOne(): Promise<void> {
  if (merges.length === 0) return;
  const merge = one(merges.slice(-4));
  const { status, body } = await call('tenant', 'DELETE', `/learner-merges/${merge.id}`, { alone: false });
  if (status !== 200) return expect(NOT_UNDOABLE).toContain(body.error?.code);
  merges.splice(merges.indexOf(merge), 1);
  people.push(merge.learnerId);
}

/** Keeps the number of learners between limits, however long the company lives. */
async function hireOrDelete(): Promise<void> {
  if (people.length < 12) await hireTwo();
  else if (people.length > 24) await deleteLearner();
}

export const MERGE_CHANGES: (() => Promise<unknown>)[] = [mergeOne, undoOne, hireOrDelete];

/** Returns the learner who now replaces each merged one. */
export function currentLearners(): Map<string, string> {
  const into = new Map(merges.map(({ learnerId, intoLearnerId }) => [learnerId, intoLearnerId]));
  const follow = (id: string): string => (into.has(id) ? follow(into.get(id)!) : id);
  return new Map([...into.keys()].map((id) => [id, follow(id)]));
}
