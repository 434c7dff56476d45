import { assignmentId, campaignId } from './world-campaigns.ts';
import { boardScheduleId } from './world-board-schedules.ts';
import { learnerImportId } from './world-imports.ts';
import { learnerMergeId } from './world-merges.ts';
import { identityProviderId } from './world-identity-providers.ts';
import { policyId, templateId, versionId } from './world-policies.ts';
import { sessionId } from './world-sessions.ts';
import { simulationDomainId, simulationExclusionId, simulationId, simulationTemplateId } from './world-simulations.ts';
import { connectionId, sourceId, webhookEndpointId } from './world-sources.ts';
import {
  adminId,
  type CompanyName,
  groupId,
  learnerId,
  ownCourseId,
  packageId,
  passkeyId,
  roleId,
  spareKeyId,
} from './world.ts';

/** Returns the ids of a company's objects in the test world, by the name of the id in paths and statements. */
export function idsOf(company: CompanyName): Record<string, readonly string[]> {
  return {
    learnerId: ([1, 2, 3, 4, 5] as const).map((number) => learnerId(company, number)),
    groupId: [groupId(company, 1), groupId(company, 2)],
    // The invited admin comes first, because more operations accept an invited admin.
    adminId: [adminId(company, 2), adminId(company, 1)],
    passkeyId: [passkeyId(company)],
    sessionId: [sessionId(company)],
    roleId: [roleId(company)],
    identityProviderId: [identityProviderId(company)],
    apiKeyId: [spareKeyId(company)],
    connectionId: [connectionId(company)],
    courseId: [ownCourseId(company)],
    packageId: [packageId(company)],
    policyId: ([1, 2, 3] as const).map((number) => policyId(company, number)),
    versionId: [versionId(company, 1), versionId(company, 2)],
    templateId: [templateId(company, 1), templateId(company, 2)],
    policyTemplateId: [templateId(company, 1), templateId(company, 2)],
    simulationId: ([1, 2, 3, 4, 5] as const).map((number) => simulationId(company, number)),
    simulationTemplateId: [simulationTemplateId(company)],
    simulationDomainId: [simulationDomainId(company)],
    campaignId: [campaignId(company)],
    assignmentId: [assignmentId(company)],
    learnerMergeId: [learnerMergeId(company)],
    boardScheduleId: [boardScheduleId(company)],
    learnerImportId: [learnerImportId(company)],
    importId: [learnerImportId(company)],
    simulationExclusionId: [simulationExclusionId(company)],
    sourceId: [sourceId(company, 'gophish'), sourceId(company, 'xapi')],
    webhookEndpointId: [webhookEndpointId(company)],
  };
}

/**
 * Returns the first id of each name.
 * @throws if the test world has no id of a name
 */
export function firstIdsOf(company: CompanyName, names: readonly string[]): Record<string, string> {
  const ids = idsOf(company);
  return Object.fromEntries(
    names.map((name) => {
      const first = ids[name]?.[0];
      if (first === undefined) throw new Error(`tests/support/world-ids.ts gives no ${name}`);
      return [name, first];
    }),
  );
}

/** Fills the ids into a path. */
export function filledPath(path: string, ids: Record<string, string>): string {
  return path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name]!);
}
