import type {
  PreflightHandler,
  Handler,
  KeyedOperationId,
  PersonOperationId,
  ScimOperationId,
} from '../contract/contract.ts';
import * as admins from '../resources/admins/admin-handlers.ts';
import { createSetupHandlers } from '../resources/admins/setup-handlers.ts';
import { followedByAdmins, followedByDirectory } from '../resources/directory/provision-admins.ts';
import * as provisioning from '../resources/directory/admin-provisioning-handlers.ts';
import * as adminPasskeys from '../resources/admins/passkey-handlers.ts';
import * as adminSessions from '../resources/admins/admin-session-handlers.ts';
import * as apiKeys from '../resources/api-keys/api-key-handlers.ts';
import * as connections from '../resources/api-keys/connection-handlers.ts';
import * as deprecatedUses from '../resources/api-keys/deprecated-use-handlers.ts';
import { listAuditLog } from '../resources/audit-log/audit-log-handlers.ts';
import { listSignIns } from '../resources/audit-log/sign-in-handlers.ts';
import { createBreachHandlers } from '../resources/breaches/breach-handlers.ts';
import * as assignments from '../resources/campaigns/assignment-handlers.ts';
import { getBoardReport } from '../resources/board-report/board-report-handlers.ts';
import * as boardSchedules from '../resources/board-report/schedules/schedule-handlers.ts';
import * as campaigns from '../resources/campaigns/campaign-handlers.ts';
import * as campaignReports from '../resources/campaigns/reports/campaign-report-handlers.ts';
import * as campaignPreviews from '../resources/campaigns/preview/preview-handlers.ts';
import * as branding from '../resources/company/branding-handlers.ts';
import * as company from '../resources/company/company-handlers.ts';
import * as corrections from '../resources/corrections/correction-handlers.ts';
import * as ownCertificates from '../resources/courses/certificates/own-certificate-handlers.ts';
import * as courses from '../resources/courses/course-handlers.ts';
import { enrolInCourse } from '../resources/courses/course-enrollments.ts';
import { createContentHandlers } from '../resources/courses/content/content-handlers.ts';
import { createExportHandlers } from '../resources/courses/export/export-handlers.ts';
import { createGapAnalysisHandlers } from '../resources/courses/gap-analysis/gap-analysis-handlers.ts';
import { createOwnCourseHandlers } from '../resources/courses/own-course-handlers.ts';
import * as ownPackages from '../resources/courses/scorm/own-package-handlers.ts';
import { getCourseInteractions } from '../resources/courses/scorm/interaction-handlers.ts';
import * as packages from '../resources/courses/scorm/package-handlers.ts';
import * as directoryGroups from '../resources/directory/directory-group-handlers.ts';
import * as directoryUsers from '../resources/directory/directory-user-handlers.ts';
import { createEventHandlers } from '../resources/events/event-handlers.ts';
import * as groups from '../resources/groups/group-handlers.ts';
import { keepsEmergencyAccess } from '../resources/identity-providers/emergency-access.ts';
import { createProviderHandlers } from '../resources/identity-providers/identity-provider-handlers.ts';
import * as membershipHistory from '../resources/groups/membership-history-handlers.ts';
import * as learnerMerges from '../resources/learner-merges/learner-merge-handlers.ts';
import * as learners from '../resources/learners/learner-handlers.ts';
import * as learnerImports from '../resources/learners/imports/import-handlers.ts';
import * as mailBounces from '../resources/mail-bounces/mail-bounce-handlers.ts';
import * as learnerHistory from '../resources/learners/learner-history-handlers.ts';
import * as learnerSessions from '../resources/learners/learner-session-handlers.ts';
import * as policies from '../resources/policies/policy-handlers.ts';
import * as ownPolicies from '../resources/policies/own-policy-handlers.ts';
import * as policyTemplates from '../resources/policies/templates/policy-template-handlers.ts';
import * as reports from '../resources/reports/report-handlers.ts';
import { createCompaniesReportHandlers } from '../resources/reports/companies/companies-report-handlers.ts';
import * as groupReports from '../resources/reports/groups/group-report-handlers.ts';
import * as riskHistory from '../resources/reports/risk-history-handlers.ts';
import { createReportButtonHandlers } from '../resources/report-button/report-button-handlers.ts';
import { createInteractionHandlers } from '../resources/simulations/events/interaction-handlers.ts';
import { createFollowUpHandlers } from '../resources/simulations/sending/follow-up-handlers.ts';
import { countManagedSignatures } from '../resources/reports/policies/managed-signatures.ts';
import { getSimulationTrendReport } from '../resources/reports/simulations/simulation-trend-handlers.ts';
import { createPlanHandlers } from '../resources/simulations/sending/plan-handlers.ts';
import { listOpenSimulations } from '../resources/simulations/sending/open-simulations.ts';
import * as ownSimulations from '../resources/simulations/own-simulation-handlers.ts';
import * as simulationExclusions from '../resources/simulations/settings/exclusion-handlers.ts';
import * as roles from '../resources/roles/role-handlers.ts';
import * as simulationDomains from '../resources/simulations/settings/domain-handlers.ts';
import * as simulationTemplates from '../resources/simulations/templates/simulation-template-handlers.ts';
import { createSettingsHandlers } from '../resources/simulations/settings/settings-handlers.ts';
import * as simulations from '../resources/simulations/simulation-handlers.ts';
import * as sources from '../resources/sources/source-handlers.ts';
import { sourcesOfKeys } from '../resources/sources/source-repository.ts';
import * as deliveries from '../resources/webhooks/delivery-handlers.ts';
import * as webhooks from '../resources/webhooks/webhook-endpoint-handlers.ts';
import { endpointsOfKeys } from '../resources/webhooks/webhook-endpoint-repository.ts';
import type { Services } from './services.ts';

export type Handlers = { readonly [Op in KeyedOperationId]: Handler<Op> | PreflightHandler<Op> } & Pick<
  DirectoryHandlers,
  ScimOperationId
> &
  PersonHandlers;

/** Handlers of SCIM. `scim/` converts SCIM requests to their inputs. */
type DirectoryHandlers = ReturnType<typeof directoryUsers.createUserHandlers> &
  typeof directoryUsers &
  typeof directoryGroups & {
    searchScimUsers: typeof directoryUsers.listScimUsers;
    searchScimGroups: typeof directoryGroups.listScimGroups;
  };

/** Handlers of pages. Their inputs are the page's data and the id of the person. */
type PersonHandlers = Pick<
  ReturnType<typeof createOwnCourseHandlers> &
    ReturnType<typeof createInteractionHandlers> &
    ReturnType<typeof createFollowUpHandlers> &
    ReturnType<typeof createSetupHandlers> &
    ReturnType<typeof createProviderHandlers> &
    typeof ownCertificates &
    typeof ownPackages &
    typeof adminPasskeys &
    typeof ownPolicies & {
      listOpenSimulations: typeof listOpenSimulations;
      countManagedSignatures: typeof countManagedSignatures;
    },
  PersonOperationId
>;

/** Input of a person's operation, without the id that the pipeline adds. */
export type PersonInput<Op extends PersonOperationId> = Omit<
  Parameters<PersonHandlers[Op]>[0],
  'learnerId' | 'adminId'
>;
/** Result of a person's operation. */
export type PersonResult<Op extends PersonOperationId> = Awaited<ReturnType<PersonHandlers[Op]>>;

/** Maps each operationId to its handler: the one central list. A missing or wrongly typed handler does not compile. */
export function createHandlers(services: Services): Handlers {
  const { beginSession, breachFeed, findTexts, freeMail, library, sealedSecrets, webhookRules } = services;
  return {
    getCompany: company.getCompany,
    getCompanyFeatures: company.getCompanyFeatures,
    getCompanySettings: company.getCompanySettings,
    updateCompanySettings: company.updateCompanySettings,
    listCompanies: company.listCompanies,
    ...branding,
    ...createReportButtonHandlers(services),

    ...admins,
    ...adminPasskeys,
    updateAdmin: keepsEmergencyAccess(followedByDirectory(admins.updateAdmin)),
    deleteAdmin: keepsEmergencyAccess(followedByDirectory(admins.deleteAdmin)),
    deleteAdmins: keepsEmergencyAccess(followedByDirectory(admins.deleteAdmins)),
    deleteAdminPasskey: keepsEmergencyAccess(adminPasskeys.deleteAdminPasskey),
    deleteOwnPasskey: keepsEmergencyAccess(adminPasskeys.deleteOwnPasskey),
    ...adminSessions,
    getAdminProvisioning: provisioning.getAdminProvisioning,
    replaceAdminProvisioning: provisioning.replaceAdminProvisioning,

    listApiKeys: apiKeys.listApiKeys,
    createApiKey: apiKeys.createApiKey,
    rotateApiKey: apiKeys.rotateApiKey,
    revokeApiKey: apiKeys.createRevokeHandler({ sources: sourcesOfKeys, webhookEndpoints: endpointsOfKeys }),
    listConnections: connections.listConnections,
    endConnection: connections.endConnection,
    listDeprecatedUses: deprecatedUses.listDeprecatedUses,

    listLearners: learners.listLearners,
    ...learners.createAddressHandlers(freeMail),
    getLearner: learners.getLearner,
    deleteLearner: followedByAdmins(learners.deleteLearner),
    deleteLearners: followedByAdmins(learners.deleteLearners),
    activateLearners: followedByAdmins(learners.activateLearners),
    deactivateLearners: followedByAdmins(learners.deactivateLearners),
    setLearnerGroups: followedByAdmins(learners.setLearnerGroups),
    listLearnerCourseResults: courses.listLearnerCourseResults,
    listLearnerGapAnalysisResults: courses.listLearnerGapAnalysisResults,
    listLearnerSimulationQueue: simulations.listLearnerSimulationQueue,
    listLearnerSimulationResults: simulations.listLearnerSimulationResults,
    ...learnerHistory,
    ...mailBounces,
    ...learnerSessions,

    ...learnerMerges,
    mergeLearners: followedByAdmins(learnerMerges.mergeLearners),
    undoLearnerMerge: followedByAdmins(learnerMerges.undoLearnerMerge),

    ...learnerImports.createImportHandlers(freeMail),
    undoLearnerImport: followedByAdmins(learnerImports.createUndoHandler(freeMail)),
    listLearnerImports: learnerImports.listLearnerImports,
    getLearnerImport: learnerImports.getLearnerImport,
    listLearnerImportRows: learnerImports.listLearnerImportRows,

    ...groups,
    deleteGroup: followedByAdmins(groups.deleteGroup),
    removeGroupLearners: followedByAdmins(groups.removeGroupLearners),
    listMembershipHistory: membershipHistory.listMembershipHistory,
    recordMembershipHistory: membershipHistory.recordMembershipHistory,
    moveGroupMembership: followedByAdmins(groups.moveGroupMembership),

    listCourses: courses.listCourses,
    createCourse: courses.createCourse,
    getCourse: courses.getCourse,
    getCourseReport: courses.getCourseReport,
    updateCourse: courses.updateCourse,
    deleteCourse: courses.deleteCourse,
    ...packages.createPackageHandlers(services),
    getCourseInteractions,
    deleteCoursePackage: packages.deleteCoursePackage,
    createCourseEnrollments: courses.createCourseEnrollments,
    sendCourseReminders: courses.sendCourseReminders,
    removeCourseEnrollments: courses.removeCourseEnrollments,
    recordCourseResults: courses.recordCourseResults,
    listRecordedCourseResults: courses.listRecordedCourseResults,
    ...campaigns.createCampaignHandlers(services),
    ...campaignPreviews.createPreviewHandlers(services),
    getCampaignReport: campaignReports.getCampaignReport,
    getCampaignProgress: campaignReports.getCampaignProgress,
    ...assignments,
    ...roles,
    listCorrections: corrections.listCorrections,
    correctRecords: corrections.correctRecords,
    ...createGapAnalysisHandlers(library),
    ...createContentHandlers(library),
    ...createExportHandlers(library),

    ...reports,
    ...groupReports,
    ...createCompaniesReportHandlers(services),
    getBoardReport,
    listBoardReportSchedules: boardSchedules.listBoardReportSchedules,
    getBoardReportSchedule: boardSchedules.getBoardReportSchedule,
    deleteBoardReportSchedule: boardSchedules.deleteBoardReportSchedule,
    listBoardReportDeliveries: boardSchedules.listBoardReportDeliveries,
    sendBoardReport: boardSchedules.sendBoardReport,
    ...boardSchedules.createScheduleHandlers(freeMail),
    getSimulationTrendReport,
    listLearnerRiskHistory: riskHistory.listLearnerRiskHistory,
    listGroupRiskHistory: riskHistory.listGroupRiskHistory,

    ...policies,

    ...policyTemplates,

    listSimulations: simulations.listSimulations,
    ...ownSimulations.createOwnHandlers(services),
    getSimulation: simulations.getSimulation,
    deleteSimulation: ownSimulations.deleteSimulation,
    cancelSimulation: ownSimulations.cancelSimulation,
    getSimulationMetrics: simulations.getSimulationMetrics,
    listSimulationInteractions: simulations.listSimulationInteractions,
    withdrawSimulationMilestone: simulations.withdrawSimulationMilestone,
    recordSimulationEvents: simulations.recordSimulationEvents,
    reportMessage: simulations.reportMessage,
    listSimulationDomains: simulationDomains.listSimulationDomains,
    ...simulationDomains.createDomainHandlers(freeMail, findTexts),
    deleteSimulationDomain: simulationDomains.deleteSimulationDomain,
    ...simulationExclusions,
    ...createSettingsHandlers(services.simulations),

    listSimulationTemplates: simulationTemplates.listSimulationTemplates,
    getSimulationTemplate: simulationTemplates.getSimulationTemplate,
    createSimulationTemplate: simulationTemplates.createSimulationTemplate,
    updateSimulationTemplate: simulationTemplates.updateSimulationTemplate,
    deleteSimulationTemplate: simulationTemplates.deleteSimulationTemplate,
    getSimulationTemplatePicture: simulationTemplates.getSimulationTemplatePicture,
    previewSimulationTemplate: simulationTemplates.previewSimulationTemplate,

    listSources: sources.listSources,
    ...sources.createSecretHandlers(sealedSecrets),
    deleteSource: sources.deleteSource,
    receiveGoPhishEvent: simulations.receiveGoPhishEvent,

    listWebhookEndpoints: webhooks.listWebhookEndpoints,
    ...webhooks.createEndpointHandlers(sealedSecrets, webhookRules),
    deleteWebhookEndpoint: webhooks.deleteWebhookEndpoint,
    testWebhookEndpoint: webhooks.testWebhookEndpoint,
    listWebhookDeliveries: deliveries.listWebhookDeliveries,
    redeliverWebhooks: deliveries.redeliverWebhooks,

    ...createBreachHandlers(breachFeed),

    listAuditLog,
    listSignIns,
    ...createEventHandlers(services),

    listScimUsers: directoryUsers.listScimUsers,
    searchScimUsers: directoryUsers.listScimUsers,
    ...directoryUsers.createUserHandlers(freeMail),
    getScimUser: directoryUsers.getScimUser,
    deleteScimUser: directoryUsers.deleteScimUser,

    searchScimGroups: directoryGroups.listScimGroups,
    ...directoryGroups,

    ...createOwnCourseHandlers(library),
    getOwnPackage: ownPackages.getOwnPackage,
    getOpenPackage: ownPackages.getOpenPackage,
    beginPackage: ownPackages.beginPackage,
    resumePackage: ownPackages.resumePackage,
    reviewPackage: ownPackages.reviewPackage,
    keepPackageState: ownPackages.keepPackageState,
    finishPackage: ownPackages.finishPackage,
    getOwnCertificate: ownCertificates.getOwnCertificate,
    issueCertificate: ownCertificates.issueCertificate,
    ...ownPolicies,
    ...createInteractionHandlers(),
    ...createFollowUpHandlers(enrolInCourse),
    ...createPlanHandlers(services),
    listOpenSimulations,
    countManagedSignatures,
    ...createSetupHandlers(beginSession),
    ...createProviderHandlers(services),
  };
}
