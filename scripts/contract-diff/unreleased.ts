import { isDeepStrictEqual } from 'node:util';
import { compare, type Comparison } from './compare.ts';
import type { Contract } from './documents.ts';
import type { Finding } from './findings.ts';

/** What changed since HEAD left main in a way that would break callers, had it been released. */
export interface Unreleased {
  since: string;
  breaks: Finding[];
}

/** What is in no release has no callers: it is told to reviewers and let pass. What is in one is judged against the release. */
export function unreleasedBreaks(
  fork: Contract,
  released: Contract,
  head: Contract,
  sinceRelease: Comparison,
): Unreleased {
  const isKnown = [released, head].some(({ document }) => isDeepStrictEqual(document, fork.document));
  if (isKnown) return { since: fork.name, breaks: [] };
  const { breaking } = compare(fork.document, head.document);
  const judged = new Set(sinceRelease.breaking.map(identityOf));
  return { since: fork.name, breaks: breaking.filter((finding) => !judged.has(identityOf(finding))) };
}

function identityOf({ rule, pointer }: Finding): string {
  return `${rule} ${pointer}`;
}
