import { type Call, calls, type Verdicts } from './calls.ts';

const BEGIN = /^\| Language +\| Generator +\|/m;
const KINDS = Object.keys(calls) as Call[];

/** Cells with `yes` or `no` for each call, by the name of the client. */
export type Table = Map<string, string>;

export function formatName(language: string, generator: string): string {
  return `${language}, ${generator}`;
}

/** Formats the verdicts on a client as the cells of its row. */
export function formatCells(verdicts: Verdicts): string {
  return KINDS.map((call) => (verdicts[call] === 'yes' ? 'yes' : 'no')).join(' | ');
}

/** Reads the table of clients in the README. @throws if it is missing, or if its columns are not the calls */
export function readTable(readme: string): Table {
  const begin = BEGIN.exec(readme)?.index;
  if (begin === undefined) throw new Error('README.md has no table of clients');
  const lines = readme.slice(begin).split('\n');
  const [head, , ...rows] = lines.slice(0, lines.indexOf('')).map(cells);
  const columns = Object.values(calls).join(' | ');
  if (head!.slice(2).join(' | ') !== columns) throw new Error(`the columns of README's table are not ${columns}`);
  return new Map(rows.map(([language, generator, ...found]) => [formatName(language!, generator!), found.join(' | ')]));
}

function cells(line: string): string[] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => cell.trim().replace(/^`(.*)`$/, (whole, inner: string) => (inner.includes('`') ? whole : inner)));
}
