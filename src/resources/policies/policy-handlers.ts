import { hash } from 'node:crypto';
import type { Handler, Schemas } from '../../contract/contract.ts';
import { ResultWithMeta } from '../../db/rows.ts';
import { invalidField } from '../../contract/errors.ts';
import { readSince } from '../events/log/changes.ts';
import { adoptTemplate } from './versioning/adoption-repository.ts';
import { decideChange, decideDiscard, decidePublication } from './versioning/document-rules.ts';
import { insertFile, requireFile } from './versioning/file-repository.ts';
import { requireLearner } from '../learners/shared/known-learners.ts';
import { hasProfile, readProfile } from '../learners/shared/learner-profile.ts';
import type { PairCall } from '../learners/shared/learner-assignments.ts';
import { assignments } from './policy-assignments.ts';
import { listSignatures } from './signatures/evidence-repository.ts';
import { removePolicies } from './policy-deletion-repository.ts';
import { recordPastVersion } from './past-versions.ts';
import { policyKind } from './policy-content.ts';
import { createFrom } from './policy-creation.ts';
import { changePolicy } from './policy-publishing.ts';
import * as repository from './policy-repository.ts';
import { listChangedResults, listPolicyResults, listResults } from './policy-result-repository.ts';
import { failureMessages, type PolicyFailureCode } from './policy-rules.ts';
import { getDraftPdf, getVersionPdf, removeVersion } from './policy-version-repository.ts';
import { recordSignatures } from './signatures/signature-events.ts';
import { lockDefault, setSignatureSettings } from './signatures/signature-repository.ts';
import { toSettings } from './signatures/signature-rules.ts';

export const listPolicies: Handler<'listPolicies'> = ({ publishedOnly = false }, tenant) => {
  return tenant.stream(repository.listPolicies, { publishedOnly });
};

export const getPolicy: Handler<'getPolicy'> = async (input, tenant) => {
  const { policyId, outcome, includeSignatures = false, includeVoided = false, updatedSince } = input;
  requireSignatures(input);
  const profile = readProfile(input);
  if (updatedSince !== undefined && !outcome)
    throw invalidField('query/outcome', 'is required if `updatedSince` is set');
  if (hasProfile(profile) && !outcome) throw invalidField('query/outcome', 'is required if learners are filtered');
  if (profile.managerId !== null) await requireLearner(tenant, profile.managerId);
  const since = updatedSince === undefined ? undefined : await readSince(tenant, updatedSince);
  const policy = await repository.getPolicy(tenant, policyId);
  const signatures = includeSignatures ? tenant.stream(listSignatures, { policyId, includeVoided }) : null;
  if (!since || !outcome) {
    return { ...policy, results: outcome ? listResults(tenant, { policyId, outcome, ...profile }) : null, signatures };
  }
  const { results, removed } = listChangedResults(tenant, { ...since.changesQuery, policyId, outcome, ...profile });
  return new ResultWithMeta({ ...policy, results, signatures }, { removed, syncedUntil: since.syncedUntil });
};

export const getPolicyVersionPdf: Handler<'getPolicyVersionPdf'> = ({ policyId, versionId }, tenant) => {
  return getVersionPdf(tenant, policyId, versionId);
};

export const getPolicyDraftPdf: Handler<'getPolicyDraftPdf'> = ({ policyId }, tenant) => getDraftPdf(tenant, policyId);

export const getPolicyReport: Handler<'getPolicyReport'> = ({ policyState = null, nameContains = null }, tenant) => {
  return tenant.stream(repository.policyFigures, { policyState, nameContains });
};

export const recordPolicyVersion: Handler<'recordPolicyVersion'> = ({ policyId, body }, tenant) => {
  return tenant.transaction((tx) => recordPastVersion(tx, policyId, body));
};

export const deletePolicyVersion: Handler<'deletePolicyVersion'> = (version, tenant) => {
  return tenant.transaction(async (tx) => {
    await repository.requirePolicy(tx, version.policyId);
    await removeVersion(tx, version);
    return repository.getPolicy(tx, version.policyId);
  });
};

export const uploadPolicyFile: Handler<'uploadPolicyFile'> = async ({ file }, tenant) => {
  const { bytes, fileName, pageCount } = file;
  const sha256 = hash('sha256', bytes, 'hex');
  const stored = { sha256: Buffer.from(sha256, 'hex'), content: bytes, fileName, pageCount };
  const storedPolicy = await tenant.transaction(async (tx) => {
    const { fileId: pdfFile, expiresAt } = await insertFile(tx, stored);
    return { pdfFile, expiresAt };
  });
  return { ...storedPolicy, fileName, sizeBytes: bytes.length, sha256, pageCount };
};

export const createPolicy: Handler<'createPolicy'> = ({ body }, tenant) => {
  return tenant.transaction(async (tx) => {
    await requireFile(tx, body.pdfFile);
    return createFrom(tx, body);
  });
};

export const createPolicyFromTemplate: Handler<'createPolicyFromTemplate'> = ({ body }, tenant) => {
  return tenant.transaction(async (tx) => {
    const template = await adoptTemplate(tx, body.policyTemplateId);
    const { name = template.name, category = template.category } = body;
    return createFrom(tx, { ...body, name, category, pdfFile: template.pdfFile });
  });
};

export const updatePolicy: Handler<'updatePolicy'> = ({ policyId, body }, tenant) => {
  return tenant.transaction(async (tx) => {
    const { action, pdfFile, signatureSettings } = body;
    const publication: Schemas['PublishPolicyDraftInput'] = action === 'live' ? body : {};
    await repository.requirePolicy(tx, policyId);
    if (pdfFile !== undefined) await requireFile(tx, pdfFile);
    await changePolicy(
      tx,
      policyId,
      (policy) => decideChange(policy, policyKind.pickContent(body), action),
      publication,
    );
    if (signatureSettings) {
      const isDefault = (await tx.mutate(lockDefault, { policyId })).length > 0;
      const settings = toSettings(signatureSettings, isDefault);
      await setSignatureSettings(tx, policyId, settings);
    }
    return repository.getPolicy(tx, policyId);
  });
};

export const publishPolicyDraft: Handler<'publishPolicyDraft'> = ({ policyId, body }, tenant) => {
  return tenant.transaction(async (tx) => {
    await changePolicy(tx, policyId, decidePublication, body);
    return repository.getPolicy(tx, policyId);
  });
};

export const discardPolicyDraft: Handler<'discardPolicyDraft'> = ({ policyId }, tenant) => {
  return tenant.transaction(async (tx) => {
    await changePolicy(tx, policyId, decideDiscard);
    return repository.getPolicy(tx, policyId);
  });
};

export const deletePolicies: Handler<'deletePolicies'> = ({ body }, tenant) => {
  return tenant.transaction(async (tx) => {
    const existing = await repository.lockPolicies(tx, body.policyIds);
    const deletedIds = body.policyIds.filter((policyId) => existing.has(policyId));
    await removePolicies(tx, deletedIds);
    return { deletedIds, skippedIds: body.policyIds.filter((policyId) => !existing.has(policyId)) };
  });
};

export const createPolicyAssignments: Handler<'createPolicyAssignments'> = async ({ body }, tenant) => {
  return { ...(await assignments.add(tenant, toPairCall(body))), errors: [] };
};

export const sendPolicyReminders: Handler<'sendPolicyReminders'> = async ({ body }, tenant) => {
  return { ...(await assignments.remind(tenant, toPairCall(body))), errors: [] };
};

export const removePolicyAssignments: Handler<'removePolicyAssignments'> = async ({ body }, tenant) => {
  const { completed, failures } = await assignments.remove(tenant, toPairCall(body));
  return { removed: completed, skipped: failures };
};

export const recordPolicySignatures: Handler<'recordPolicySignatures'> = ({ body }, tenant) => {
  return tenant.transaction((tx) => recordSignatures(tx, body.signatures));
};

export const listLearnerPolicyResults: Handler<'listLearnerPolicyResults'> = async (input, tenant) => {
  const { learnerId, policyId = null, includeSignatures = false, includeVoided = false } = input;
  requireSignatures(input);
  await requireLearner(tenant, learnerId);
  return tenant.stream(listPolicyResults, { learnerId, policyId, includeSignatures, includeVoided });
};

/** @throws invalid_request if voided signatures are requested without signatures */
function requireSignatures(input: { includeSignatures?: boolean; includeVoided?: boolean }): void {
  if (input.includeVoided && !input.includeSignatures)
    throw invalidField('query/includeSignatures', 'is required if `includeVoided` is set');
}

function toPairCall({ policyIds, learnerIds }: Schemas['CreatePolicyAssignmentsInput']): PairCall<PolicyFailureCode> {
  return { learnerIds, targetIds: policyIds, failureMessages };
}
