import type { Input, KeyedOperationId } from '../../../contract/contract.ts';
import type { Html } from '../../../http/html/html.ts';
import type { ApiRequest } from '../../shared/parts/api-calls.ts';
import type { Cell, Column } from '../../shared/parts/table.ts';
import type { Tile } from '../../shared/parts/tiles.ts';
import type { Admin } from '../admin.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import type { Formats } from '../overview/figure-formats.ts';
import type { FilterName, ReportQuery } from './report-query.ts';

/** Questions that the report pages answer, in the order of their links. */
export type ReportName = 'participation' | 'overdue' | 'simulations' | 'risk' | 'policies' | 'due';

/** List of the contract that the page shows and the CSV file contains. */
export interface ReportCall {
  operationId: KeyedOperationId;
  input: Readonly<Record<string, string>>;
}

/** The admin, query and operations with which a report is read. */
export interface ReportReader {
  runs: ConsoleRuns;
  admin: Admin;
  query: ReportQuery;
  formats: Formats;
}

/** The content of a report page. */
export interface ReportContent {
  /** The answer in a sentence or two. */
  text: Html | string;
  tiles?: readonly (Tile | false | null)[] | undefined;
  pictures?: Html | false;
  columns: readonly Column[];
  rows: readonly (readonly Cell[])[];
  /** The cursor of the next page of the table; null on the last one. */
  nextCursor: string | null;
  /** A hint below the table. */
  hint?: string | false;
  /** Further API calls that the page makes. */
  calls?: readonly (ApiRequest | false)[];
  /** The policies that the filter offers. */
  policies?: readonly { id: string; name: string }[];
}

/** A page that answers one question with a figure, a table, a CSV file and API calls. */
export interface Report {
  /** The operation that the page needs. */
  needs: KeyedOperationId;
  filters: readonly FilterName[];
  /** Returns the API call that reads the list, without a page's cursor. */
  call(query: ReportQuery): ReportCall;
  /** @throws {ApiError} as the operations do */
  read(reader: ReportReader): Promise<ReportContent>;
}

/** Runs an operation for the admin of a report. @throws {ApiError} as the operation does */
export function runFor<Op extends KeyedOperationId>({ runs, admin }: ReportReader, operationId: Op, input: Input<Op>) {
  return runs.run(operationId, admin.caller, input);
}

/** Returns the entries of an object that have a value. */
export function given(values: Readonly<Record<string, string | undefined>>): Record<string, string> {
  return Object.fromEntries(Object.entries(values).filter((entry): entry is [string, string] => !!entry[1]));
}
