import type { Handler, KeyedOperationId } from './contract.ts';
import * as company from './resources/company/company-handlers.ts';
import * as groups from './resources/groups/group-handlers.ts';
import * as learners from './resources/learners/learner-handlers.ts';

/** Operations of the contract that have no handler yet; they answer 501. The list only shrinks. */
export const pending = [
  'listAdmins',
  'createAdmin',
  'updateAdmin',
  'deleteAdmin',
  'deleteAdmins',
  'resendAdminInvite',
  'listLearnerBreaches',
  'listLearnerCourseResults',
  'listLearnerGapAnalysisResults',
  'listLearnerPolicyResults',
  'listLearnerSimulationQueue',
  'listLearnerSimulationResults',
  'listCourses',
  'getCourse',
  'createCourseEnrollments',
  'sendCourseReminders',
  'removeCourseEnrollments',
  'createGapAnalysisEnrollments',
  'sendGapAnalysisReminders',
  'removeGapAnalysisEnrollments',
  'getCourseParticipationReport',
  'getCourseResultsReport',
  'getGapAnalysisResultsReport',
  'getLearningReport',
  'getRiskScoreHistoryReport',
  'listPolicies',
  'createPolicy',
  'getPolicy',
  'updatePolicy',
  'discardPolicyDraft',
  'publishPolicyDraft',
  'deletePolicies',
  'createPolicyFromTemplate',
  'uploadPolicyFile',
  'createPolicyAssignments',
  'sendPolicyReminders',
  'removePolicyAssignments',
  'listPolicyTemplates',
  'createPolicyTemplate',
  'getPolicyTemplate',
  'updatePolicyTemplate',
  'discardPolicyTemplateDraft',
  'publishPolicyTemplateDraft',
  'deletePolicyTemplates',
  'listSimulations',
  'getSimulation',
  'getSimulationMetrics',
  'listBreachAccounts',
  'listBreachServices',
] as const satisfies readonly KeyedOperationId[];

type PendingOperationId = (typeof pending)[number];

export function isPending(operationId: KeyedOperationId): operationId is PendingOperationId {
  return (pending as readonly string[]).includes(operationId);
}

export type ServedOperationId = Exclude<KeyedOperationId, PendingOperationId>;

/** operationId -> handler: the one central list. A missing, an extra or a wrongly typed handler does not compile. */
export const handlers: { readonly [Op in ServedOperationId]: Handler<Op> } = {
  getCompany: company.getCompany,
  getCompanyFeatures: company.getCompanyFeatures,
  listCompanies: company.listCompanies,

  listLearners: learners.listLearners,
  createLearner: learners.createLearner,
  createLearners: learners.createLearners,
  getLearner: learners.getLearner,
  updateLearner: learners.updateLearner,
  deleteLearner: learners.deleteLearner,
  deleteLearners: learners.deleteLearners,
  activateLearners: learners.activateLearners,
  deactivateLearners: learners.deactivateLearners,
  setLearnerGroups: learners.setLearnerGroups,

  listGroups: groups.listGroups,
  createGroup: groups.createGroup,
  getGroup: groups.getGroup,
  deleteGroup: groups.deleteGroup,
  addGroupLearners: groups.addGroupLearners,
  removeGroupLearners: groups.removeGroupLearners,
  setGroupManagers: groups.setGroupManagers,
  moveGroupMembership: groups.moveGroupMembership,
};
