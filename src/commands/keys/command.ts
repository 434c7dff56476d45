import type { ParseArgsOptionsConfig } from 'node:util';
import type { Knex } from 'knex';
import { CommandError, UsageError } from '../command.ts';

export type Values = Record<string, string | boolean | undefined>;

export interface Command {
  summary: string;
  help: string;
  options: ParseArgsOptionsConfig;
  /** What it takes beside its options, as the help calls it. */
  positionals?: string[];
  /** Checks what can be checked without a database, and gives what is to be done with one. */
  prepare(values: Values, positionals: string[]): (database: Knex) => Promise<void>;
}

/** The text of an option that must be there. */
export function required(values: Values, name: string): string {
  const value = optional(values, name);
  if (value === undefined) throw new UsageError(`--${name} is missing.`);
  return value;
}

/** The text of an option, without the space around it; undefined when it is not given. */
export function optional(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value.trim() : undefined;
}

/** A name to show: one line of 1 to 200 characters. */
export function requiredName(values: Values, name: string): string {
  const value = required(values, name);
  if (!/^\P{Cc}{1,200}$/u.test(value)) throw new CommandError(`--${name} must be one line of 1 to 200 characters.`);
  return value;
}

export type Cell = string | number | boolean | Date | string[] | null;
export type Row = Record<string, Cell>;

/** Prints rows as JSON, or as a table with the keys of the first row as its head. */
export function printRows(rows: Row[], asJson: boolean, none: string): void {
  if (asJson) console.log(JSON.stringify(rows, null, 2));
  else console.log(rows.length > 0 ? table(rows) : none);
}

function table(rows: Row[]): string {
  const columns = Object.keys(rows[0]!);
  const lines = [columns.map(title), ...rows.map((row) => columns.map((column) => cell(row[column] ?? null)))];
  const widths = columns.map((_, index) => Math.max(...lines.map((line) => line[index]!.length)));
  return lines
    .map((line) =>
      line
        .map((text, index) => text.padEnd(widths[index]!))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}

/** `lastUsed` as `LAST USED`. */
function title(column: string): string {
  return column.replace(/[A-Z]/g, ' $&').toUpperCase();
}

function cell(value: Cell): string {
  if (value === null) return '-';
  if (Array.isArray(value)) return value.join(', ') || '-';
  if (value instanceof Date) return value.toISOString().slice(0, 16).replace('T', ' ');
  return String(value);
}
