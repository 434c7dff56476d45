import type pg from 'pg';
import type { Caller } from '../../../src/auth/caller.ts';
import { DeniedCallAudit } from '../../../src/auth/denied-call-audit.ts';
import { getPermissions } from '../../../src/auth/roles.ts';
import { SealedSecrets } from '../../../src/auth/sealed-secrets.ts';
import { TenantAccess } from '../../../src/auth/tenant-access.ts';
import { type KeyedOperationId, operations } from '../../../src/contract/contract.ts';
import type { Keyset } from '../../../src/db/keyset.ts';
import { Rows } from '../../../src/db/rows.ts';
import { createInvoke, type Invoke } from '../../../src/operations/invoke.ts';
import { createHandlers } from '../../../src/operations/operations.ts';
import type { Services } from '../../../src/operations/services.ts';
import { CourseLibrary } from '../../../src/resources/courses/authored/course-library.ts';
import { adminId, companies, type CompanyName, groupId, learnerId } from '../../support/world.ts';

type Input = Record<string, unknown>;

/** The operations that are open to managers. */
export const managedOperations = (Object.keys(operations) as KeyedOperationId[]).filter(
  (operationId) => operations[operationId].managers !== null,
);

/** Creates the pipeline with the handlers of the service. Operations of managers need no other service. */
export function createServiceInvoke(pool: pg.Pool): Invoke {
  const access = new TenantAccess(pool);
  const services = { freeMail: new Set(), sealedSecrets: new SealedSecrets([]), simulations: undefined };
  const library = new CourseLibrary(undefined, () => undefined);
  const handlers = createHandlers({ ...services, library } as unknown as Services);
  return createInvoke(access, handlers, new DeniedCallAudit(access));
}

/** Creates the second admin of a company as a caller with a role. */
export function adminWith(role: string, company: CompanyName = 'tenant'): Caller {
  const id = adminId(company, 2);
  return {
    ...{ companyId: companies[company], accountType: company === 'msp' ? 'msp' : 'tenant', keyId: id },
    ...{ modules: ['smlearn', 'smphish', 'smpolicy'], expiresAt: null, hasRecentProof: true },
    ...{ actor: { type: 'admin', id }, ...getPermissions({ role, customScopes: null }) },
  };
}

/** Returns the result of an operation with all lists read. */
export async function readResult(result: unknown): Promise<unknown> {
  if (result instanceof Rows) return readAll(result as Rows<unknown>);
  if (typeof result !== 'object' || result === null || Array.isArray(result)) return result;
  const entries = Object.entries(result).map(async ([name, value]) => {
    return [name, value instanceof Rows ? await readAll(value as Rows<unknown>) : (value as unknown)] as const;
  });
  return Object.fromEntries(await Promise.all(entries));
}

async function readAll(rows: Rows<unknown>): Promise<unknown[]> {
  const cursor = await rows.open();
  const all: unknown[] = [];
  for (let last = false; !last;) {
    const batch = await cursor.next();
    all.push(...batch.rows);
    last = batch.last;
  }
  return JSON.parse(`[${rows.json(all)}]`) as unknown[];
}

/** Returns the list of a result that pages can divide; undefined if it has none. */
export function findPagedList(result: unknown): Rows<unknown> | undefined {
  const lists = [result, ...Object.values(result as object)];
  return lists.find((value): value is Rows<unknown> => value instanceof Rows && value.order !== undefined);
}

/** Reads a list in pages of one row, after a keyset. */
export async function readPages(list: Rows<unknown>, from: Keyset | null = null): Promise<unknown[]> {
  const all: unknown[] = [];
  for (let keyset = from; ;) {
    const { page, next } = await list.behind(keyset, 1);
    all.push(...(await readAll(page)));
    if (next === null) return all;
    keyset = next;
  }
}

/** Returns inputs of an operation that name no learner, for the lists of all learners and for parts of them. */
export function inputsOf(operationId: KeyedOperationId): Input[] {
  const filters = [{}, { groupId: groupId('tenant', 1) }, { country: 'CH' }];
  if (operationId === 'getLearningReport') return [...filters, { attempts: 'all' }];
  if (operationId === 'listLearners') return [...filters, { q: 'learner' }, { email: 'learner3@tenant.test' }];
  return filters;
}

/** The manager of the tests, and their people: three direct reports and a member of a group. */
export const manager = learnerId('tenant', 4);
