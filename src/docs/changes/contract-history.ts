import history from '../../../generated/contract-history.json' with { type: 'json' };
import type { ContractName } from '../../released/contract-versions.ts';
import { OPERATIONS } from '../pages.ts';

/** A deprecated operation, or a deprecated part of one. */
interface DeprecatedPart {
  operationId: string;
  /** `operation`, or the path of the part; see `Deprecation` in `request-context.ts`. */
  at: string;
  since: string;
  sunset: string;
}

interface HistoryEntry {
  version: string;
  added: readonly string[];
  removed: readonly string[];
  deprecated: readonly DeprecatedPart[];
}

const HISTORY: Record<ContractName, readonly HistoryEntry[]> = history;

/** Returns the version of the REST contract that added an operation. */
export function findFirstVersion(operationId: string): string {
  const [first, ...later] = HISTORY.rest;
  return later.findLast(({ added }) => added.includes(operationId))?.version ?? first!.version;
}

/** Returns the deprecated parts of an operation. */
export function listDeprecatedParts(operationId: string): DeprecatedPart[] {
  return HISTORY.rest.flatMap(({ deprecated }) => deprecated.filter((part) => part.operationId === operationId));
}

/** Formats what a version added, deprecated and removed; empty for a version without such changes. */
export function formatVersionChanges(contract: ContractName, version: string): string {
  const entry = HISTORY[contract].find((one) => one.version === version);
  if (!entry) return '';
  const link = (id: string) => (contract === 'rest' && hasPage(id) ? linkOperation(id) : `\`${id}\``);
  const { added, deprecated, removed } = entry;
  const sections = [
    added.length > 0 && `### Added in ${version}\n\n${counted(added.length)}: ${added.map(link).join(', ')}.`,
    deprecated.length > 0 && `### Deprecated in ${version}\n\n${deprecated.map(formatDeprecatedPart).join('\n')}`,
    removed.length > 0 && `### Removed in ${version}\n\n${counted(removed.length)}: ${removed.map(link).join(', ')}.`,
  ];
  return sections.filter((section) => section !== false).join('\n\n');
}

/** Reports whether the running version has an operation, and therefore a page for it. */
function hasPage(operationId: string): boolean {
  const last = HISTORY.rest.findLast(({ added, removed }) => [...added, ...removed].includes(operationId));
  return last !== undefined && last.added.includes(operationId);
}

function formatDeprecatedPart({ operationId, at, since, sunset }: DeprecatedPart): string {
  const part = at === 'operation' ? 'the operation' : `\`${at}\``;
  return `- ${linkOperation(operationId)}: ${part}, deprecated since ${since}, works at least until ${sunset}.`;
}

function linkOperation(operationId: string): string {
  return `[\`${operationId}\`](${OPERATIONS.path}/${operationId})`;
}

function counted(count: number): string {
  return count === 1 ? '1 operation' : `${count} operations`;
}
