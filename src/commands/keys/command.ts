import type { ParseArgsOptionsConfig } from 'node:util';
import type { Knex } from 'knex';
import { CommandError, UsageError } from '../command.ts';

export type Values = Record<string, string | boolean | undefined>;

export interface Command {
  summary: string;
  help: string;
  options: ParseArgsOptionsConfig;
  /** Names of the positional arguments, as the help shows them. */
  positionals?: string[];
  /** Checks everything that does not need the database, and returns the work that does. */
  prepare(values: Values, positionals: string[]): (database: Knex) => Promise<void>;
}

/** Returns the value of a required option. */
export function required(values: Values, name: string): string {
  const value = optional(values, name);
  if (value === undefined) throw new UsageError(`--${name} is required.`);
  return value;
}

/** Returns the trimmed value of an option; undefined if it is missing. */
export function optional(values: Values, name: string): string | undefined {
  const value = values[name];
  return typeof value === 'string' ? value.trim() : undefined;
}

/** Returns a display name: one line of 1 to 200 characters. */
export function requiredName(values: Values, name: string): string {
  const value = required(values, name);
  if (!/^\P{Cc}{1,200}$/u.test(value)) throw new CommandError(`--${name} must be one line of 1 to 200 characters.`);
  return value;
}

export type Cell = string | number | boolean | Date | string[] | null;
export type Row = Record<string, Cell>;

/** Prints rows as JSON, or as a table whose head is the keys of the first row. */
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

/** Formats a column's title: `lastUsed` becomes `LAST USED`. */
function title(column: string): string {
  return column.replace(/[A-Z]/g, ' $&').toUpperCase();
}

function cell(value: Cell): string {
  if (value === null) return '-';
  if (Array.isArray(value)) return value.join(', ') || '-';
  if (value instanceof Date) return value.toISOString().slice(0, 16).replace('T', ' ');
  return String(value);
}
