import { isDeepStrictEqual } from 'node:util';
import { compare, type Comparison, type Rule } from './compare.ts';
import type { Contract } from './read-document.ts';
import type { Finding } from './findings.ts';

/** Changes since HEAD left main that would break callers if main's contract had been released. */
export interface Unreleased {
  since: string;
  breaks: Finding[];
}

interface Contracts {
  fork: Contract;
  released: Contract;
  head: Contract;
  rules?: Rule[] | undefined;
}

/** What is in no release has no callers, so its breaks are told and pass. Breaks since the release are judged elsewhere. */
export function unreleasedBreaks({ fork, released, head, rules }: Contracts, sinceRelease: Comparison): Unreleased {
  const isKnown = [released, head].some(({ document }) => isDeepStrictEqual(document, fork.document));
  if (isKnown) return { since: fork.name, breaks: [] };
  const { breaking } = compare(fork.document, head.document, { rules });
  const judged = new Set(sinceRelease.breaking.map(identityOf));
  return { since: fork.name, breaks: breaking.filter((finding) => !judged.has(identityOf(finding))) };
}

function identityOf({ rule, pointer }: Finding): string {
  return `${rule} ${pointer}`;
}
