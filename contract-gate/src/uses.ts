import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Finding } from './findings.ts';
import { Misuse } from './misuse.ts';
import type { Report } from './reports/report.ts';

/** Reports whether an integrator uses the operation with a label. */
export type Uses = (label: string) => boolean;

/**
 * Reads which operations an integrator uses.
 * @param path a file with one operation per line, as `listBooks` or `GET /books` (`#` begins a comment), or a folder
 * with code, such as a generated SDK; an operation that the code names in any spelling (`listBooks`, `list_books`,
 * `ListBooks`) counts as used
 * @throws {Misuse}
 */
export async function readUses(path: string): Promise<Uses> {
  const found = await stat(path).catch(() => null);
  if (!found) throw new Misuse(`${path} is neither a file nor a folder`);
  const words = found.isDirectory() ? await wordsIn(path) : splitLines(await readFile(path, 'utf8'));
  if (words.size === 0) throw new Misuse(`${path} names no operation`);
  return (label) => listNames(label).some((name) => words.has(name));
}

/** Filters a report: keeps changes to the used operations, and changes that affect all callers. */
export function concerning(report: Report, uses: Uses): Report {
  const concerns = ({ operations }: Finding) => operations.length === 0 || operations.some(uses);
  const surfaces = report.surfaces.map((surface) => {
    const { breaking, compatible } = surface.changes;
    const notJudged = surface.changes.notJudged.filter(
      ({ operations }) => operations.length === 0 || operations.some(uses),
    );
    const changes = {
      ...surface.changes,
      notJudged,
      breaking: breaking.filter(concerns),
      compatible: compatible.filter(concerns),
    };
    return { ...surface, changes, refusedEntries: [], version: null, unreleased: null };
  });
  return { ...report, surfaces };
}

function splitLines(text: string): Set<string> {
  const lines = text.split('\n').map((line) => line.replace(/#.*/, '').trim());
  return new Set(
    lines.filter(Boolean).map((line) => (/^[a-z]+ \//i.test(line) ? normalizeAddress(line) : folded(line))),
  );
}

const SKIPPED = new Set(['node_modules', '.git']);
const MAX_FILE_BYTES = 16 * 1024 * 1024;

async function wordsIn(folder: string): Promise<Set<string>> {
  const words = new Set<string>();
  for (const entry of await readdir(folder, { recursive: true, withFileTypes: true })) {
    const path = join(entry.parentPath, entry.name);
    if (!entry.isFile() || path.split(/[\\/]/).some((step) => SKIPPED.has(step))) continue;
    if ((await stat(path)).size > MAX_FILE_BYTES) continue;
    for (const [word] of (await readFile(path, 'utf8')).matchAll(/[A-Za-z_][\w-]*/g)) words.add(folded(word));
  }
  return words;
}

/** Splits the label `GET /books (listBooks)` into an id and an address. */
function listNames(label: string): string[] {
  const [, address = label, id] = /^(.*?)(?: \(([^)]*)\))?$/.exec(label)!;
  return [...(id === undefined ? [] : [folded(id)]), normalizeAddress(address)];
}

function normalizeAddress(text: string): string {
  const [method = '', path = ''] = text.split(/\s+/);
  return `${method.toUpperCase()} ${path.replaceAll(/\{[^}]*\}/g, '{}')}`;
}

/** Removes case and punctuation, because generators spell the same name differently. */
function folded(name: string): string {
  return name.replaceAll(/[_\W]/g, '').toLowerCase();
}
