import type { TenantWriter } from '../../../db/tenant.ts';
import * as repository from './signature-correction-repository.ts';
import { correctedResult, type SignedResult } from './signature-correction-rules.ts';
import { formatResultKey, type ResultKey, type SignatureEvent } from './signature-event-rules.ts';

/** Changes to recorded signatures. A signature is in at most one of the lists. */
export interface SignatureChanges {
  voided: readonly (SignatureEvent & { isOwn: boolean })[];
  /** Signatures to restore, with the times of the assignments that they had caused. */
  restored: readonly (SignatureEvent & { isOwn: boolean; assignedAt: string | null })[];
  /** Replacements, which have already been recorded. */
  replacements: readonly SignatureEvent[];
}

/**
 * Voids and restores signatures of locked learners and policies. Derives the results of these learners and policies
 * again, from the signatures that count. Queues a message to each learner whose signature on the service's pages no
 * longer counts, or counts again after such a message. Returns the times of the assignments that signatures had caused,
 * by learner and policy.
 */
export async function correctSignatures(
  tenant: TenantWriter,
  { voided, restored, replacements }: SignatureChanges,
): Promise<Map<string, string>> {
  const keys = distinctKeys([...voided, ...restored, ...replacements]);
  await repository.setSignaturesVoided(tenant, toIds(voided), true);
  await repository.setSignaturesVoided(tenant, toIds(restored), false);
  const formerAssignments = new Map(
    restored.flatMap((signature) =>
      signature.assignedAt === null ? [] : [[formatResultKey(signature), signature.assignedAt]],
    ),
  );
  const results = await deriveResults(tenant, keys, formerAssignments);
  await repository.notifySigners(
    tenant,
    voided.filter(({ isOwn }) => isOwn),
  );
  await repository.notifyRestoredSigners(
    tenant,
    restored.filter(({ isOwn }) => isOwn),
  );
  return new Map(
    results.flatMap((result) => {
      return result.isAssignedBySignature && result.assignedAt ? [[formatResultKey(result), result.assignedAt]] : [];
    }),
  );
}

/**
 * Derives results of locked learners from the signatures that count. Returns the former results.
 * @param formerAssignments times of the assignments that the restored signatures had caused, by learner and policy
 */
export async function deriveResults(
  tenant: TenantWriter,
  keys: readonly ResultKey[],
  formerAssignments: ReadonlyMap<string, string> = new Map(),
): Promise<(ResultKey & SignedResult)[]> {
  await repository.updateEvidence(tenant, keys);
  const results = await repository.findSignedResults(tenant, keys);
  const corrected = results.map((result) => {
    return { ...result, ...correctedResult(result, formerAssignments.get(formatResultKey(result)) ?? null) };
  });
  await repository.removeResults(
    tenant,
    corrected.filter(({ isLeft }) => !isLeft),
  );
  await repository.saveResults(
    tenant,
    corrected.filter(({ isLeft }) => isLeft),
  );
  return results;
}

function distinctKeys(signatures: readonly ResultKey[]): ResultKey[] {
  return [...new Map(signatures.map((signature) => [formatResultKey(signature), signature])).values()];
}

function toIds(signatures: readonly SignatureEvent[]): string[] {
  return signatures.map(({ eventId }) => eventId);
}
