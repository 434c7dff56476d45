import type { Handler } from '../../contract/contract.ts';
import { mergeLearners as merge } from './merge-learners.ts';
import * as repository from './learner-merge-repository.ts';
import { undoMerge } from './undo-merge.ts';

export const listLearnerMerges: Handler<'listLearnerMerges'> = ({ learnerId }, tenant) => {
  return repository.listMerges(tenant, learnerId);
};

export const getLearnerMerge: Handler<'getLearnerMerge'> = ({ learnerMergeId }, tenant) => {
  return repository.getMerge(tenant, learnerMergeId);
};

export const mergeLearners: Handler<'mergeLearners'> = ({ body }, tenant, caller) => {
  const actor = caller.actor ?? { type: 'key', id: caller.keyId };
  return tenant.transaction((tx) => merge(tx, body, actor));
};

export const undoLearnerMerge: Handler<'undoLearnerMerge'> = ({ learnerMergeId }, tenant) => {
  return tenant.transaction((tx) => undoMerge(tx, learnerMergeId));
};
