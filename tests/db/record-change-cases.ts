import { learnerId } from '../support/world.ts';

/** Calls of the lists of corrections and merges, with every filter that has a statement. */
export const RECORD_CHANGES: ['listCorrections' | 'listLearnerMerges', Record<string, string>][] = [
  ['listCorrections', {}],
  ['listCorrections', { learnerId: learnerId('msp', 1) }],
  ['listCorrections', { kind: 'course_result' }],
  ['listLearnerMerges', {}],
  ['listLearnerMerges', { learnerId: learnerId('msp', 3) }],
];
