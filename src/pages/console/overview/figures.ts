import type { Data, Input, KeyedOperationId, Schemas } from '../../../contract/contract.ts';
import { Rows, type RowsWithMeta } from '../../../db/rows.ts';
import type { ApiError } from '../../../contract/errors.ts';
import { publicError } from '../../../http/response/public-error.ts';

/** How figures are read for somebody. */
export interface Reading {
  /** Runs an operation of the contract through `invoke`, as for a key. */
  run(operationId: KeyedOperationId, input: object): Promise<unknown>;
  /** Is told of each figure that cannot be read now, as when the database or the breach feed is away. */
  missed(error: ApiError): void;
}

/** Figures, or why there are none: the company lacks the module, the caller the right, or they cannot be read now. */
export type Outcome<T> = { data: T } | { missing: 'module' | 'scope' | 'now' };

export interface Figures {
  groups: Outcome<{ company: Schemas['GroupReportCompany']; groups: FirstRows<Schemas['GroupReportRow']> }>;
  risk: Outcome<{ rows: Schemas['RiskScoreHistoryRow'][] }>;
  simulations: Outcome<Pick<Schemas['SimulationMetrics'], 'totalMetrics' | 'simulations'>>;
  breaches: Outcome<{ services: FirstRows<Schemas['BreachedService']>; coverage: Schemas['BreachCoverage'] }>;
}

/** The first rows of a list, and whether there are more. */
export interface FirstRows<T> {
  rows: readonly T[];
  isCut: boolean;
}

/** So many of a list are read for a page. Each row of the breaches holds all accounts of a breach. */
export const LIMITS = { groups: 100, days: 90, breaches: 50 } as const;

/**
 * The figures of a company, by the operations of the contract: whatever they allow, limit and note in the audit log holds
 * here too. One that fails does not take the others with it.
 * @param companyId a managed child; undefined for the caller's own company
 * @throws {ApiError} `forbidden` for a company that the caller may not read
 */
export async function readFigures(reading: Reading, companyId: string | undefined): Promise<Figures> {
  const child = companyId === undefined ? {} : { companyId };
  const [groups, risk, simulations, breaches] = await Promise.all([
    readOutcome(reading, readGroups(reading, child)),
    readOutcome(reading, readRisk(reading, child)),
    readOutcome(reading, readSimulations(reading, child)),
    readOutcome(reading, readBreaches(reading, child)),
  ]);
  return { groups, risk, simulations, breaches };
}

async function readGroups(reading: Reading, child: { companyId?: string }) {
  const { company, groups } = await run(reading, 'getGroupReport', child);
  return { company, groups: await readFirstRows(groups, LIMITS.groups) };
}

async function readRisk(reading: Reading, child: { companyId?: string }) {
  const { rows } = await run(reading, 'getRiskScoreHistoryReport', child);
  return { rows: [...(await readFirstRows(rows, LIMITS.days)).rows] };
}

async function readSimulations(reading: Reading, child: { companyId?: string }) {
  const { totalMetrics, simulations } = await run(reading, 'getSimulationMetrics', child);
  return { totalMetrics, simulations: simulations as Schemas['SimulationListItem'][] };
}

async function readBreaches(reading: Reading, child: { companyId?: string }) {
  const list = await run(reading, 'listBreachServices', { ...child, hasAffectedAccounts: true });
  const { meta } = list as RowsWithMeta<unknown, Pick<Schemas['BreachedServiceListResponse'], 'coverage'>>;
  return { services: await readFirstRows(list, LIMITS.breaches), coverage: meta.coverage };
}

/** What an operation answers here: its lists, or those in its fields, may be rows that are not read yet. */
type Listed<T> = T extends readonly (infer Item)[] ? T | Rows<Item> : T;
type Answered<T> = T extends readonly unknown[] ? Listed<T> : { [Field in keyof T]: Listed<T[Field]> };

export async function run<Op extends KeyedOperationId>(
  reading: Reading,
  operationId: Op,
  input: Input<Op>,
): Promise<Answered<Data<Op>>> {
  return (await reading.run(operationId, input as object)) as Answered<Data<Op>>;
}

async function readFirstRows<T>(list: readonly T[] | Rows<T>, limit: number): Promise<FirstRows<T>> {
  if (!(list instanceof Rows)) return { rows: list.slice(0, limit), isCut: list.length > limit };
  const { page, next } = await list.behind(null, limit);
  const { items } = await page.page(0, limit);
  return { rows: items as T[], isCut: next !== null };
}

/** What a page says in place of a figure. Any other failure is the whole page's. */
export async function readOutcome<T>(reading: Reading, data: Promise<T>): Promise<Outcome<T>> {
  try {
    return { data: await data };
  } catch (thrown) {
    const error = publicError(thrown);
    if (error.code === 'module_not_enabled') return { missing: 'module' };
    if (error.code === 'insufficient_scope') return { missing: 'scope' };
    if (error.status <= 500) throw thrown;
    reading.missed(error);
    return { missing: 'now' };
  }
}
