import type { Data, Input, KeyedOperationId } from '../../../contract/contract.ts';
import type { ApiError } from '../../../contract/errors.ts';
import type { Language } from '../../../contract/languages.ts';
import { Rows } from '../../../db/rows.ts';
import type { Html } from '../../../http/html/html.ts';
import { publicError } from '../../../http/response/public-error.ts';
import type { Formats } from './figure-formats.ts';
import type { FigureMessages } from './figure-messages.ts';

/** Reads figures for one admin. */
export interface ReportReader {
  /** Runs an operation of the contract through `invoke`, as for a key. */
  run(operationId: KeyedOperationId, input: object): Promise<unknown>;
  /** Called for each figure that is temporarily unavailable, for example because the breach feed is down. */
  missed(error: ApiError): void;
}

/** The data of a figure, or the reason why it is missing: no module, no permission, or temporarily unavailable. */
export type Outcome<T> = { data: T } | { missing: 'module' | 'scope' | 'now' };

/** The first rows of a list, and whether there are more. */
export interface FirstRows<T> {
  rows: readonly T[];
  isCut: boolean;
}

/** Query parameter that selects the child whose figures are read; empty for the admin's own company. */
export type ChildInput = Readonly<{ companyId?: string }>;

/** Context in which figures are rendered. */
export interface Shown {
  language: Language;
  messages: FigureMessages;
  formats: Formats;
  child: ChildInput;
  today: Date;
}

/** A figure of the overview: reads its data through operations of the contract, and renders it. */
export interface OverviewFigure<T> {
  title(language: Language): string;
  read(reader: ReportReader, child: ChildInput): Promise<T>;
  show(data: T, shown: Shown): Html;
}

/** The result of an operation. Lists in the result can be rows that have not been read yet. */
export type Listed<T> = T extends readonly (infer Item)[] ? T | Rows<Item> : T;
type Answered<T> = T extends readonly unknown[] ? Listed<T> : { [Field in keyof T]: Listed<T[Field]> };

export async function run<Op extends KeyedOperationId>(
  reader: ReportReader,
  operationId: Op,
  input: Input<Op>,
): Promise<Answered<Data<Op>>> {
  return (await reader.run(operationId, input as object)) as Answered<Data<Op>>;
}

/** Reads the first rows of a list. */
export async function readFirstRows<T>(list: readonly T[] | Rows<T>, limit: number): Promise<FirstRows<T>> {
  if (!(list instanceof Rows)) return { rows: list.slice(0, limit), isCut: list.length > limit };
  const { page, next } = await list.behind(null, limit);
  const { items } = await page.page(0, limit);
  return { rows: items as T[], isCut: next !== null };
}

/** Turns failures that a page shows in place of a figure into outcomes. Rethrows any other failure. */
export async function readOutcome<T>(reader: ReportReader, data: Promise<T>): Promise<Outcome<T>> {
  try {
    return { data: await data };
  } catch (thrown) {
    const error = publicError(thrown);
    if (error.code === 'module_not_enabled') return { missing: 'module' };
    if (error.code === 'insufficient_scope') return { missing: 'scope' };
    if (error.status <= 500) throw thrown;
    reader.missed(error);
    return { missing: 'now' };
  }
}
