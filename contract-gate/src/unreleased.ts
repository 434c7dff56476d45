import { isDeepStrictEqual } from 'node:util';
import type { Comparison, Options } from './compare.ts';
import type { Surface } from './config.ts';
import type { Finding } from './findings.ts';
import type { Contract } from './read-document.ts';
import { compareSurface } from './surfaces/compare-surface.ts';

/** Changes since HEAD left main that would break callers if the contract of main had been released. */
export interface Unreleased {
  since: string;
  breaks: Finding[];
}

interface Contracts {
  surface: Surface;
  fork: Contract;
  released: Contract;
  head: Contract;
  options: Options;
}

/**
 * Finds breaks of unreleased parts, which have no callers. They are reported but allowed; `judge` handles the others.
 */
export function unreleasedBreaks(
  { surface, fork, released, head, options }: Contracts,
  sinceRelease: Comparison,
): Unreleased {
  const isKnown = [released, head].some(({ document }) => isDeepStrictEqual(document, fork.document));
  if (isKnown) return { since: fork.name, breaks: [] };
  const { breaking } = compareSurface(surface, fork.document, head.document, options);
  const judged = new Set(sinceRelease.breaking.map(getIdentity));
  return { since: fork.name, breaks: breaking.filter((finding) => !judged.has(getIdentity(finding))) };
}

function getIdentity({ rule, pointer }: Finding): string {
  return `${rule} ${pointer}`;
}
