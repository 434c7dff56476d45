import type { Request } from 'express';
import type { Caller } from '../../../auth/caller.ts';
import type { Input } from '../../../contract/contract.ts';
import { isId } from '../../../db/ids.ts';
import type { FieldValues } from '../../shared/parts/fields.ts';
import type { ConsoleRuns } from '../console-runs.ts';

/** The filters of the list of people, as fields of the form and of the query string. */
export const FILTERS = [
  'q',
  'groupId',
  'department',
  'manager',
  'riskScoreLevel',
  'overdue',
  'state',
  'mailStatus',
] as const;
/** Filters that admins with the role manager do not have, because they see only their own active people. */
const NOT_FOR_MANAGERS: readonly string[] = ['groupId', 'manager', 'state'];

/** The columns that the list can show in addition to the name. */
export const COLUMNS = [
  ...(['email', 'externalLearnerId', 'department', 'jobTitle', 'location', 'country', 'groups'] as const),
  ...(['riskScoreLevel', 'state', 'mailStatus', 'absentUntil', 'updatedAt'] as const),
] as const;
export type ColumnName = (typeof COLUMNS)[number];
const DEFAULT_COLUMNS: readonly ColumnName[] = ['email', 'department', 'riskScoreLevel', 'state'];

/** Mail statuses by which the list can be filtered. */
export const MAIL_STATUSES = ['bouncing', 'undeliverable'] as const;
export const LEVELS = ['low', 'moderate', 'high', 'critical'] as const;

/** The request in the URL of the list. */
export interface PeopleQuery {
  /** The filters that are set. */
  filters: FieldValues;
  columns: readonly ColumnName[];
  cursor: string | undefined;
}

/** Returns the parameters of a query string, each as often as it occurs. */
export function readSearch(req: Pick<Request, 'originalUrl'>): URLSearchParams {
  return new URL(req.originalUrl, 'http://localhost').searchParams;
}

/** Reads the filters from a URL or a form. Ignores filters that no list has. */
export function readFilters(search: URLSearchParams, { isManager = false }: Pick<Caller, 'isManager'>): FieldValues {
  const given = FILTERS.filter((name) => !isManager || !NOT_FOR_MANAGERS.includes(name)).map(
    (name) => [name, normalize(name, search.get(name) ?? '')] as const,
  );
  return Object.fromEntries(given.filter(([, value]) => value !== ''));
}

const CHOICES: Partial<Record<(typeof FILTERS)[number], readonly string[]>> = {
  riskScoreLevel: LEVELS,
  overdue: ['yes', 'no'],
  state: ['active', 'inactive'],
  mailStatus: MAIL_STATUSES,
};

/** Maximum length of a string in a filter, as in the contract. */
const MAX_LENGTH = 200;

function normalize(name: (typeof FILTERS)[number], value: string): string {
  const choices = CHOICES[name];
  if (choices) return choices.includes(value) ? value : '';
  if (name === 'groupId') return isId(value.toLowerCase()) ? value.toLowerCase() : '';
  return value.trim().slice(0, MAX_LENGTH);
}

export function readPeopleQuery(req: Request, caller: Caller): PeopleQuery {
  const search = readSearch(req);
  const chosen = search.getAll('columns');
  const columns = COLUMNS.filter((name) => chosen.includes(name));
  return {
    filters: readFilters(search, caller),
    columns: columns.length > 0 ? columns : DEFAULT_COLUMNS,
    cursor: search.get('cursor') ?? undefined,
  };
}

/** Builds the query string of the list. Leaves out the default columns. */
export function formatPeopleQuery({ filters, columns, cursor }: PeopleQuery): string {
  const search = new URLSearchParams(filters as Record<string, string>);
  if (columns.join() !== DEFAULT_COLUMNS.join()) for (const name of columns) search.append('columns', name);
  if (cursor !== undefined) search.set('cursor', cursor);
  const text = search.toString();
  return text && `?${text}`;
}

/**
 * Converts filters to the parameters of `listLearners`.
 * @returns undefined if no learner has the manager's e-mail address
 */
export async function toListInput(
  runs: ConsoleRuns,
  caller: Caller,
  { q, groupId, department, manager, riskScoreLevel, overdue, state, mailStatus }: FieldValues,
): Promise<Input<'listLearners'> | undefined> {
  const managerId = manager === undefined ? undefined : await findLearnerId(runs, caller, manager);
  if (manager !== undefined && managerId === undefined) return undefined;
  const input = {
    ...{ q, groupId, department, managerId, riskScoreLevel, mailStatus },
    overdue: overdue && overdue === 'yes',
    inactive: state && state === 'inactive',
  };
  const given = Object.entries(input).filter(([, value]) => value !== undefined);
  return Object.fromEntries(given);
}

/** Returns the id of the learner with an e-mail address; undefined if nobody has it. */
export async function findLearnerId(runs: ConsoleRuns, caller: Caller, email: string): Promise<string | undefined> {
  for await (const { id } of runs.items('listLearners', caller, { email })) return id;
  return undefined;
}
