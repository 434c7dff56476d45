import type { Handler, KeyedOperationId } from './contract.ts';
import * as admins from './resources/admins/admin-handlers.ts';
import * as company from './resources/company/company-handlers.ts';
import * as courses from './resources/courses/course-handlers.ts';
import * as groups from './resources/groups/group-handlers.ts';
import * as learners from './resources/learners/learner-handlers.ts';
import * as policies from './resources/policies/policy-handlers.ts';
import * as policyTemplates from './resources/policy-templates/template-handlers.ts';
import * as reports from './resources/reports/report-handlers.ts';

/** Operations of the contract that have no handler yet; they answer 501. The list only shrinks. */
export const pending = [
  'listLearnerBreaches',
  'listLearnerSimulationQueue',
  'listLearnerSimulationResults',
  'getRiskScoreHistoryReport',
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

  listAdmins: admins.listAdmins,
  createAdmin: admins.createAdmin,
  updateAdmin: admins.updateAdmin,
  deleteAdmin: admins.deleteAdmin,
  deleteAdmins: admins.deleteAdmins,
  resendAdminInvite: admins.resendAdminInvite,

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
  listLearnerCourseResults: learners.listLearnerCourseResults,
  listLearnerGapAnalysisResults: learners.listLearnerGapAnalysisResults,
  listLearnerPolicyResults: learners.listLearnerPolicyResults,

  listGroups: groups.listGroups,
  createGroup: groups.createGroup,
  getGroup: groups.getGroup,
  deleteGroup: groups.deleteGroup,
  addGroupLearners: groups.addGroupLearners,
  removeGroupLearners: groups.removeGroupLearners,
  setGroupManagers: groups.setGroupManagers,
  moveGroupMembership: groups.moveGroupMembership,

  listCourses: courses.listCourses,
  getCourse: courses.getCourse,
  createCourseEnrollments: courses.createCourseEnrollments,
  sendCourseReminders: courses.sendCourseReminders,
  removeCourseEnrollments: courses.removeCourseEnrollments,
  createGapAnalysisEnrollments: courses.createGapAnalysisEnrollments,
  sendGapAnalysisReminders: courses.sendGapAnalysisReminders,
  removeGapAnalysisEnrollments: courses.removeGapAnalysisEnrollments,

  getCourseParticipationReport: reports.getCourseParticipationReport,
  getCourseResultsReport: reports.getCourseResultsReport,
  getGapAnalysisResultsReport: reports.getGapAnalysisResultsReport,
  getLearningReport: reports.getLearningReport,

  listPolicies: policies.listPolicies,
  getPolicy: policies.getPolicy,
  uploadPolicyFile: policies.uploadPolicyFile,
  createPolicy: policies.createPolicy,
  createPolicyFromTemplate: policies.createPolicyFromTemplate,
  updatePolicy: policies.updatePolicy,
  publishPolicyDraft: policies.publishPolicyDraft,
  discardPolicyDraft: policies.discardPolicyDraft,
  deletePolicies: policies.deletePolicies,
  createPolicyAssignments: policies.createPolicyAssignments,
  sendPolicyReminders: policies.sendPolicyReminders,
  removePolicyAssignments: policies.removePolicyAssignments,

  listPolicyTemplates: policyTemplates.listPolicyTemplates,
  getPolicyTemplate: policyTemplates.getPolicyTemplate,
  createPolicyTemplate: policyTemplates.createPolicyTemplate,
  updatePolicyTemplate: policyTemplates.updatePolicyTemplate,
  publishPolicyTemplateDraft: policyTemplates.publishPolicyTemplateDraft,
  discardPolicyTemplateDraft: policyTemplates.discardPolicyTemplateDraft,
  deletePolicyTemplates: policyTemplates.deletePolicyTemplates,
};
