import type { Data, Input, KeyedOperationId } from '../../../contract/contract.ts';
import type { ApiError } from '../../../contract/errors.ts';
import type { Language } from '../../../contract/languages.ts';
import { Rows } from '../../../db/rows.ts';
import type { Html } from '../../../http/html/html.ts';
import { publicError } from '../../../http/response/public-error.ts';
import type { Formats } from './figure-formats.ts';
import type { FigureMessages } from './figure-messages.ts';

/** How figures are read for somebody. */
export interface FigureReader {
  /** Runs an operation of the contract through `invoke`, as for a key. */
  run(operationId: KeyedOperationId, input: object): Promise<unknown>;
  /** Is told of each figure that cannot be read now, as when the database or the breach feed is away. */
  missed(error: ApiError): void;
}

/** Figures, or why there are none: the company lacks the module, the caller the right, or they cannot be read now. */
export type Outcome<T> = { data: T } | { missing: 'module' | 'scope' | 'now' };

/** The first rows of a list, and whether there are more. */
export interface FirstRows<T> {
  rows: readonly T[];
  isCut: boolean;
}

/** The child that figures are of, as the parameter of the calls; empty for the own company. */
export type ChildInput = Readonly<{ companyId?: string }>;

/** How figures are shown, and of whom. */
export interface Shown {
  language: Language;
  messages: FigureMessages;
  formats: Formats;
  child: ChildInput;
  today: Date;
}

/** A figure of the overview: what it reads by the operations of the contract, and how it is drawn. */
export interface OverviewFigure<T> {
  title(language: Language): string;
  read(reader: FigureReader, child: ChildInput): Promise<T>;
  show(data: T, shown: Shown): Html;
}

/** What an operation answers here: its lists, or those in its fields, may be rows that are not read yet. */
type Listed<T> = T extends readonly (infer Item)[] ? T | Rows<Item> : T;
type Answered<T> = T extends readonly unknown[] ? Listed<T> : { [Field in keyof T]: Listed<T[Field]> };

export async function run<Op extends KeyedOperationId>(
  reader: FigureReader,
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

/** What a page says in place of a figure. Any other failure is the whole page's. */
export async function readOutcome<T>(reader: FigureReader, data: Promise<T>): Promise<Outcome<T>> {
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
