// A thread that writes the feed of releases: see `changes-routes.ts`.
import { readFileSync } from 'node:fs';
import { parentPort, workerData } from 'node:worker_threads';
import { compare, type JsonObject } from '../../../contract-gate/src/index.ts';
import { accessRules } from '../../released/access-rules.ts';
import { type ContractName, CONTRACTS } from '../../released/contract-versions.ts';
import { findContract, readReleases, type Release } from '../../released/releases.ts';
import { atomFeed, type FeedContract, type FeedEntry } from './feed.ts';

export interface FeedTask {
  publicUrl: string;
  /** A folder of releases; the folder of this repository by default. */
  folder?: string;
}

/** Number of releases in the feed. Comparing a release takes about a second. */
const MAX_ENTRIES = 10;

const { publicUrl, folder } = workerData as FeedTask;
const { info } = JSON.parse(readFileSync(new URL('../../../generated/openapi.json', import.meta.url), 'utf8')) as {
  info: { title: string };
};
const releases = readReleases(folder === undefined ? undefined : new URL(folder));
const entries = releases.slice(0, MAX_ENTRIES).map((release, index) => buildFeedEntry(release, releases[index + 1]));
parentPort!.postMessage(atomFeed({ entries, publicUrl, service: info.title }));

function buildFeedEntry(release: Release, before: Release | undefined): FeedEntry {
  return {
    release: release.release,
    date: release.date,
    contracts: CONTRACTS.flatMap((contract) => buildFeedContracts(contract, release, before)),
  };
}

function buildFeedContracts(contract: ContractName, release: Release, before: Release | undefined): FeedContract[] {
  const now = findContract(release, contract);
  const old = before && findContract(before, contract);
  if (!now) return [];
  const { version } = now;
  if (!old) return [{ contract, version, changes: undefined }];
  if (old.version === version) return [{ contract, version, changes: 'same' }];
  const comparison = compare(read(old.document), read(now.document), { rules: [accessRules] });
  return [{ contract, version, changes: { since: old.version, comparison } }];
}

function read(document: URL): JsonObject {
  return JSON.parse(readFileSync(document, 'utf8')) as JsonObject;
}
