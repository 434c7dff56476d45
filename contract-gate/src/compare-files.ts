import { basename } from 'node:path';
import { compare, type Options } from './compare.ts';
import { readContract } from './read-document.ts';
import type { Report } from './reports/report.ts';

/** Compares two files outside a project, without checks of versions or accepted breaks. @throws {Misuse} */
export async function compareFiles(basePath: string, headPath: string, options: Options): Promise<Report> {
  const [base, head] = await Promise.all([basePath, headPath].map((path) => readContract(path)));
  const changes = compare(base!.document, head!.document, options);
  const [from, to] = [basePath, headPath].map((path) =>
    basename(basePath) === basename(headPath) ? path : basename(path),
  );
  const none = { unreleased: null, accepted: new Map(), refusedEntries: [], version: null, contract: null };
  const documents = { base: base!.document, head: head!.document };
  return { surfaces: [{ surface: null, base: from!, head: to!, documents, changes, ...none }], notes: [] };
}
