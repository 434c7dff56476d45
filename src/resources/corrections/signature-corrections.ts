import { correctSignatures } from '../policies/signatures/correct-signatures.ts';
import { findVersions, insertSignatures } from '../policies/signatures/signature-event-repository.ts';
import { lockPolicies } from '../policies/policy-repository.ts';
import {
  areSameSignatures,
  formatResultKey,
  readReplacement,
  type SignatureEvent,
} from '../policies/signatures/signature-event-rules.ts';
import { type CorrectableSignature, findCorrectableSignatures } from './correction-repository.ts';
import { distinct, judgeAndInsert, type RecordKind } from './record-kind.ts';

/** Corrections of policy signatures. */
export const signatureCorrections: RecordKind = {
  async lockTargets(tenant, eventIds) {
    const records = [...(await findCorrectableSignatures(tenant, eventIds)).values()];
    await lockPolicies(tenant, distinct(records.map(({ policyId }) => policyId)));
    return records.map(({ learnerId }) => learnerId);
  },
  async correct(tenant, items) {
    const judged = await judgeAndInsert<SignatureEvent, CorrectableSignature>(items, {
      find: (eventIds) => findCorrectableSignatures(tenant, eventIds),
      async toRules(recorded) {
        const policyIds = distinct([...recorded.values()].map(({ policyId }) => policyId));
        const facts = { now: new Date(), versionsByPolicy: await findVersions(tenant, policyIds) };
        return {
          recorded,
          replacementFields: ['signedAt', 'versionId', 'offline', 'note'],
          areSame: areSameSignatures,
          readReplacement: (input, record) => readReplacement(input, record, facts),
        };
      },
      insert: (replacements) => insertSignatures(tenant, replacements),
    });
    const { completed, failures, corrections } = judged;
    if (corrections.length === 0) return { completed, failures, corrections: [] };
    const assignedAts = await correctSignatures(tenant, judged);
    const keys = new Map(judged.voided.map((signature) => [signature.eventId, formatResultKey(signature)]));
    const made = corrections.map((correction) => {
      const key = keys.get(correction.eventId);
      return { ...correction, attemptId: null, assignedAt: (key !== undefined && assignedAts.get(key)) || null };
    });
    return { completed, failures, corrections: made };
  },
};
