import type { operations } from '../../generated/operations.ts';

/** The calling person: a learner or an admin who is signed in or has followed a link. */
type PersonCaller = 'learner' | 'admin';

interface PersonOperation {
  callers: readonly PersonCaller[];
  module: (typeof operations)[keyof typeof operations]['module'];
  cluster: 'read' | 'create' | 'update';
  pathIds: readonly string[];
  /** Whether the audit log records a call. It does not record progress, which is saved on each click. */
  isAudited: boolean;
  /** The scope that an admin's role must have; null if every role can call the operation. */
  scope: (typeof operations)[keyof typeof operations]['scope'];
  accountKinds: null;
  /** Whether the person must have recently confirmed who they are. */
  recentSignIn: boolean;
  answersSecret: false;
}

const ofPerson = (
  caller: PersonCaller,
  {
    pathIds = [],
    module = null,
    cluster = 'read',
    isAudited = cluster !== 'read',
    scope = null,
    recentSignIn = false,
  }: Partial<PersonOperation> = {},
): PersonOperation => ({
  ...{ callers: [caller], pathIds, module, cluster, isAudited, scope, recentSignIn },
  ...{ accountKinds: null, answersSecret: false },
});

const course = { module: 'smlearn', pathIds: ['courseId'] } as const;
const certificate = { module: 'smlearn', pathIds: ['attemptId'] } as const;
const policy = { module: 'smpolicy', pathIds: ['policyId'] } as const;
const version = { module: 'smpolicy', pathIds: ['policyId', 'versionId'] } as const;
const progress = { cluster: 'update', isAudited: false } as const;

/**
 * The operations behind the pages of learners and admins. They run in the same pipeline as the operations of the
 * contract. The pipeline adds the caller's `learnerId` or `adminId` to their input. No API offers them.
 */
export const personOperations = {
  listOwnCourses: ofPerson('learner', { module: 'smlearn' }),
  getOwnCourse: ofPerson('learner', course),
  getGapAnalysisCourse: ofPerson('learner', { module: 'smlearn' }),
  listOwnProposals: ofPerson('learner', { module: 'smlearn' }),
  startProposedCourse: ofPerson('learner', { ...course, cluster: 'update' }),
  beginCourse: ofPerson('learner', { ...course, cluster: 'update' }),
  keepCourseStep: ofPerson('learner', { ...course, ...progress }),
  finishCourse: ofPerson('learner', { ...course, cluster: 'update' }),
  getOwnPackage: ofPerson('learner', course),
  getOpenPackage: ofPerson('learner', course),
  beginPackage: ofPerson('learner', { ...course, cluster: 'update' }),
  resumePackage: ofPerson('learner', { ...course, ...progress }),
  reviewPackage: ofPerson('learner', { ...course, ...progress }),
  keepPackageState: ofPerson('learner', { ...course, ...progress }),
  finishPackage: ofPerson('learner', { ...course, cluster: 'update' }),
  getOwnCertificate: ofPerson('learner', certificate),
  issueCertificate: ofPerson('learner', { ...certificate, cluster: 'create' }),
  listOwnPolicies: ofPerson('learner', { module: 'smpolicy' }),
  getOwnPolicy: ofPerson('learner', policy),
  getOwnPolicyPdf: ofPerson('learner', version),
  recordPolicyVisit: ofPerson('learner', { ...version, ...progress }),
  signPolicy: ofPerson('learner', { ...version, cluster: 'update' }),
  // Needs no module: the company might have disabled it since the message was sent.
  recordInteraction: ofPerson('learner', progress),
  beginFollowUpTraining: ofPerson('learner', { module: 'smlearn', pathIds: ['simulationId'], cluster: 'update' }),
  // Shows a course as its learners see it, and records nothing.
  previewCourse: ofPerson('admin', { ...course, scope: 'courses:read' }),
  listOpenSimulations: ofPerson('admin', { module: 'smphish', scope: 'simulations:read' }),
  // Returns no counts for admins with other roles.
  countManagedSignatures: ofPerson('admin', { module: 'smpolicy' }),
  finishAdminSetup: ofPerson('admin', { cluster: 'update' }),
  recordProviderTest: ofPerson('admin', {
    ...{ cluster: 'update', pathIds: ['identityProviderId'], scope: 'identity_providers:write' },
  }),
  // Every admin can remove their own passkeys. Removing another admin's passkeys requires the scope of
  // deleteAdminPasskey.
  deleteOwnPasskey: ofPerson('admin', { cluster: 'update', pathIds: ['passkeyId'], recentSignIn: true }),
} as const;

export type PersonOperationId = keyof typeof personOperations;

/** A fault in the form that signs a policy. */
export type SigningFault = 'not_opened' | 'name_missing' | 'name_differs' | 'not_agreed';
export type SigningFaults = Partial<Record<'opened' | 'name' | 'agreed', SigningFault>>;

/** A fault in a name that an admin enters in the setup. */
export type NameFault = 'empty' | 'too_long' | 'not_text' | 'web_address';
export type NameFaults = Partial<Record<'firstName' | 'lastName', NameFault>>;

const attempt = { sent: ['learnerId', 'courseId'], answered: [] };

/** The names of the ids that the audit log records for a call, in this order. */
export const personNamedIds: Partial<
  Record<PersonOperationId, { sent: readonly string[]; answered: readonly string[]; fields?: readonly string[] }>
> = {
  startProposedCourse: attempt,
  beginCourse: attempt,
  finishCourse: attempt,
  beginPackage: attempt,
  beginFollowUpTraining: { sent: ['learnerId', 'simulationId'], answered: [] },
  finishPackage: attempt,
  issueCertificate: { sent: ['attemptId'], answered: [] },
  signPolicy: { sent: ['policyId', 'versionId'], answered: [] },
  finishAdminSetup: { sent: ['adminId'], answered: [] },
  deleteOwnPasskey: { sent: ['adminId', 'passkeyId'], answered: [] },
};
