// Loaded for their statements.
import '../../src/auth/tenant-access.ts';
import '../../src/mail/message-repository.ts';
import '../../src/operations.ts';
import { registeredStatements } from '../../src/db/statement.ts';
import { adminId, companies, groupId, learnerId, managedCourses, ownCourseId } from '../support/world.ts';
import { fileId, policyId, templateId, versionId } from '../support/world-policies.ts';
import { simulationId } from '../support/world-simulations.ts';

/** A message to be made by the tests that need it: the test world has none. */
export const MESSAGE = '0192a3b4-0000-7000-8000-d00000000005';

/** Every statement of the service. */
export const allStatements = registeredStatements;

/** Values for every parameter of every statement: what they name is there, and belongs to `tenant`. */
const samples: Record<string, unknown> = {
  learnerId: learnerId('tenant', 1),
  learnerIds: [1, 2, 3, 4, 5].map((number) => learnerId('tenant', number as 1)),
  groupId: groupId('tenant', 1),
  groupIds: [groupId('tenant', 1), groupId('tenant', 2)],
  target: companies.tenant,
  emails: ['learner1@tenant.test', 'learner2@tenant.test'],
  externalLearnerIds: ['HR-1', 'HR-2'],
  inactive: true,
  id: '0192a3b4-0000-7000-8000-d00000000002',
  ids: ['0192a3b4-0000-7000-8000-d00000000003', '0192a3b4-0000-7000-8000-d00000000004'],
  name: 'name',
  firstName: 'First',
  lastName: 'Last',
  firstNames: ['First', 'First'],
  lastNames: ['Last', 'Last'],
  locales: ['en', 'en'],
  excluded: [false, false],
  setsExternalLearnerId: false,
  adminId: adminId('tenant', 2),
  adminIds: [adminId('tenant', 1), adminId('tenant', 2)],
  email: 'new@tenant.test',
  token: 'token',
  tokenHash: Buffer.alloc(32),
  days: 7,
  courseId: ownCourseId('tenant'),
  courseIds: [ownCourseId('tenant')],
  targetIds: [ownCourseId('tenant'), managedCourses.phishing],
  type: 'training',
  source: null,
  messageId: MESSAGE,
  status: 'sent',
  attempts: 1,
  reason: 'reason',
  policyId: policyId('tenant', 1),
  policyIds: [policyId('tenant', 1), policyId('tenant', 2)],
  fileId: fileId('tenant'),
  pdfFile: fileId('tenant'),
  versionId: versionId('tenant', 1),
  templateId: templateId('tenant', 1),
  templateIds: [templateId('tenant', 1)],
  companyIds: [companies.childA],
  simulationId: simulationId('tenant', 1),
  outcome: 'opened',
  publishedOnly: false,
  restrictToOwn: false,
  asks: ['everyone', 'unsigned'],
  dueDays: ['2030-01-01', '2030-01-01'],
  sha256: Buffer.alloc(32),
  content: Buffer.from('x'),
  major: 1,
  minor: 1,
  sizeBytes: 1,
  pageCount: 1,
  hours: 24,
  isPublic: false,
  useDefault: false,
  setDefault: false,
  isGlobal: false,
  companies: [],
  keepsFile: false,
  domains: ['tenant.test'],
  day: '2026-03-02',
  afterId: '00000000-0000-0000-0000-000000000000',
  limit: 1000,
  scores: [10, 20, 30, 40, 50],
  fromDate: '2026-03-02',
  toDate: '2026-04-02',
};

/** What a statement takes; null where it asks for a name that is not above. */
export function sampleParameters(): never {
  return new Proxy({}, { ownKeys: () => Object.keys(samples), getOwnPropertyDescriptor, get }) as never;
}
function get(_target: object, name: string): unknown {
  return samples[name] ?? null;
}
function getOwnPropertyDescriptor(): PropertyDescriptor {
  return { enumerable: true, configurable: true };
}
