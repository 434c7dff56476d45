import type { Handler } from '../../contract/contract.ts';
import { requireLearner } from '../learners/shared/known-learners.ts';
import { correctRecords as correct } from './corrections.ts';
import { requireKindsOfSource } from './correction-rules.ts';
import * as repository from './correction-repository.ts';

export const listCorrections: Handler<'listCorrections'> = async ({ learnerId, kind }, tenant) => {
  if (learnerId !== undefined) await requireLearner(tenant, learnerId);
  return repository.listCorrections(tenant, { learnerId, kind });
};

export const correctRecords: Handler<'correctRecords'> = ({ body }, tenant, caller) => {
  requireKindsOfSource(caller, body.corrections);
  return tenant.transaction((tx) => correct(tx, body.corrections));
};
