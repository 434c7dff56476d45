import { globSync, readFileSync } from 'node:fs';
import type pg from 'pg';
import { Parameter } from '../../src/db/sql.ts';
import { registeredStatements } from '../../src/db/statement.ts';
import { companies, id, learnerId, managedCourses, ownCourseId } from '../support/world.ts';
import { idsOf } from '../support/world-ids.ts';
import { fileId, policyId, versionId } from '../support/world-policies.ts';
import { parameterTypes } from './describe.ts';
import { MESSAGE } from './large-company.ts';

const SOURCES = new URL('../../src/', import.meta.url);
for (const file of globSync('**/*.ts', { cwd: SOURCES })) {
  if (/\/db\/(statement|sql)\.ts'/.test(readFileSync(new URL(file, SOURCES), 'utf8')))
    await import(new URL(file, SOURCES).pathname);
}

/** Returns every statement of the service. */
export const allStatements = registeredStatements;
type AnyStatement = ReturnType<typeof allStatements>[number];

/** Ids and values of the test world by parameter name: `learnerId` is the first one, `learnerIds` are all. */
const WORLD: Record<string, readonly string[]> = {
  ...idsOf('tenant'),
  courseId: [ownCourseId('tenant'), managedCourses.phishing],
  // Targets of enrolments and assignments.
  targetId: [ownCourseId('tenant'), managedCourses.phishing, policyId('tenant', 1), policyId('tenant', 2)],
  fileId: [fileId('tenant')],
  pdfFile: [fileId('tenant')],
  versionId: [versionId('tenant', 1), versionId('tenant', 2)],
  companyId: [companies.childA, companies.childB],
  target: [companies.childA],
  messageId: [MESSAGE],
  email: ['learner1@tenant.test', 'learner2@tenant.test'],
  domain: ['tenant.test'],
  managerId: [learnerId('tenant', 1)],
  personId: [learnerId('tenant', 1)],
  department: ['Sales'],
};

/** Sample values for other parameters by type; a list has two of them. */
const OF_TYPES: Record<string, (number: 1 | 2, statement: AnyStatement) => unknown> = {
  // An unused id that sorts before all ids of the test world.
  uuid: (number) => id('0', number),
  // A filter can be null; a stored string cannot.
  text: (number, { isMutation }) => (isMutation ? `text ${number}` : null),
  boolean: () => false,
  smallint: () => 1,
  integer: () => 1,
  bigint: () => 1,
  numeric: () => 1,
  date: () => '2030-01-01',
  'timestamp with time zone': () => '2030-01-01T00:00:00Z',
  bytea: () => Buffer.alloc(32),
};

const unfilled = new Proxy({}, { get: (_, name) => new Parameter(name as string) }) as never;

/**
 * Returns sample values for the parameters `$1, $2, ...` of a statement, for `tenant`: rows of the test world where the
 * name of a parameter matches, otherwise a value by type. A statement can override them in its `samples`.
 */
export async function sampleValues(client: pg.Client, statement: AnyStatement): Promise<unknown[]> {
  const types = await parameterTypes(client, statement.text);
  const places = statement.values(companies.tenant, unfilled);
  return places.map((place, index) => {
    return place instanceof Parameter ? sampleOf(statement, place.name, types[index]!) : place;
  });
}

function sampleOf(statement: AnyStatement, parameter: string, type: string): unknown {
  const { name, samples } = statement;
  if (parameter in samples) return (samples as Record<string, unknown>)[parameter];
  const known = WORLD[parameter.replace(/s$/, '')];
  const isList = type.endsWith('[]');
  if (known) return isList ? known : known[0];
  const ofType = OF_TYPES[type.replace('[]', '')];
  if (!ofType) throw new Error(`${name} takes ${parameter}, a ${type}: give it a value in the statement's samples`);
  return isList ? [ofType(1, statement), ofType(2, statement)] : ofType(1, statement);
}
