import { readFileSync } from 'node:fs';
import compareVersions from 'semver/functions/compare.js';
import { type JsonObject, object, operationsIn, text } from '../../contract-gate/src/index.ts';
import { type ContractName, CONTRACTS } from '../../src/released/contract-versions.ts';
import { findContract, readReleases } from '../../src/released/releases.ts';
import { listDeprecations } from './deprecations.ts';

/** A version of a contract, with its differences from the previous version. */
interface HistoryEntry {
  version: string;
  /** The operationIds that the version added; empty for the first version. */
  added: string[];
  removed: string[];
  /** The parts that the version deprecated. */
  deprecated: JsonObject[];
}

/**
 * Compares the operations of all released versions of each contract, and of the running one, oldest first. Leaves out
 * the release dates, because a release must not change a generated file.
 */
export function contractHistory(running: Record<ContractName, JsonObject>): Record<ContractName, HistoryEntry[]> {
  const releases = readReleases();
  const entries = CONTRACTS.map((contract) => {
    const documents = new Map<string, JsonObject>();
    for (const release of releases) {
      const found = findContract(release, contract);
      if (found) documents.set(found.version, JSON.parse(readFileSync(found.document, 'utf8')) as JsonObject);
    }
    documents.set(text(object(running[contract].info).version), running[contract]);
    const ordered = [...documents].toSorted(([one], [other]) => compareVersions(one, other));
    return [
      contract,
      ordered.map(([version, document], index) => buildEntry(version, document, ordered[index - 1]?.[1])),
    ];
  });
  return Object.fromEntries(entries) as Record<ContractName, HistoryEntry[]>;
}

function buildEntry(version: string, document: JsonObject, before: JsonObject | undefined): HistoryEntry {
  const [now, old] = [operationIds(document), before ? operationIds(before) : []];
  const known = new Set((before ? deprecatedParts(before) : []).map(getName));
  return {
    version,
    added: before ? now.filter((id) => !old.includes(id)) : [],
    removed: old.filter((id) => !now.includes(id)),
    deprecated: deprecatedParts(document).filter((part) => !known.has(getName(part))),
  };
}

function operationIds(document: JsonObject): string[] {
  return operationsIn(document).map(({ operation }) => text(operation.operationId));
}

function deprecatedParts(document: JsonObject): JsonObject[] {
  return operationsIn(document).flatMap((found) =>
    listDeprecations(document, found).map((part) => ({ operationId: found.operation.operationId!, ...part })),
  );
}

function getName({ operationId, at }: JsonObject): string {
  return `${operationId as string} ${at as string}`;
}
