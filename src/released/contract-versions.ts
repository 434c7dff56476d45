import { readFileSync } from 'node:fs';
import rcompare from 'semver/functions/rcompare.js';
import { versionPattern } from '../contract/contract.ts';
import { ApiError, formatFieldError, invalidField } from '../contract/errors.ts';
import { once } from '../http/once.ts';
import { findContract, readReleases, type Release } from './releases.ts';

/** Contracts that are served in every version, each with the file of its running version. */
const RUNNING = { rest: 'generated/openapi.json', scim: 'generated/scim.json' } as const;

export type ContractName = keyof typeof RUNNING;
export const CONTRACTS = Object.keys(RUNNING) as ContractName[];

export interface ContractVersion {
  version: string;
  /** The newest release with this version; undefined for a running version that has not been released. */
  release: Release | undefined;
  /** Whether this process runs the version. */
  isRunning: boolean;
  document: URL;
}

const VERSION = new RegExp(versionPattern);

interface Options {
  /** The version that this process runs. */
  running?: () => string;
  releases?: () => Release[];
}

/** The versions of a contract: the running one and all released ones. Nothing is read until the first use. */
export class ContractVersions {
  readonly contract: ContractName;
  readonly #all: () => ContractVersion[];

  constructor(contract: ContractName, { running, releases = readReleases }: Options = {}) {
    this.contract = contract;
    this.#all = once(() => listVersions(contract, (running ?? (() => readVersion(contract)))(), releases()));
  }

  /** All versions, newest first. */
  get all(): readonly ContractVersion[] {
    return this.#all();
  }

  get running(): ContractVersion {
    return this.all.find(({ isRunning }) => isRunning)!;
  }

  get(name: string): ContractVersion | undefined {
    return this.all.find(({ version }) => version === name);
  }

  /** Returns the version of the parameter `version`, or the running one. @throws as `find` does */
  requested({ version }: Record<string, unknown>): ContractVersion {
    return version === undefined ? this.running : this.find(version, 'version');
  }

  /**
   * Finds the version that a query parameter names.
   * @param value the parameter, as Express parses it
   * @throws {ApiError} `invalid_request` if it is not a single version, `not_found` if the version is unknown
   */
  find(value: unknown, parameter: string): ContractVersion {
    const field = `query/${parameter}`;
    if (Array.isArray(value)) throw invalidField(field, 'must be sent only once');
    if (typeof value !== 'string' || !VERSION.test(value)) throw invalidField(field, 'must be a version such as 1.2.0');
    const contractVersion = this.get(value);
    if (contractVersion) return contractVersion;
    const message = `is not a known version; use one of ${this.all.map(({ version }) => version).join(', ')}`;
    throw new ApiError('not_found', formatFieldError({ field, message }), { details: [{ field, message }] });
  }
}

function listVersions(contract: ContractName, running: string, releases: Release[]): ContractVersion[] {
  const document = new URL(`../../${RUNNING[contract]}`, import.meta.url);
  const byVersion = new Map<string, ContractVersion>();
  for (const release of releases) {
    const releasedContract = findContract(release, contract);
    if (releasedContract && !byVersion.has(releasedContract.version))
      byVersion.set(releasedContract.version, { ...releasedContract, release, isRunning: false });
  }
  byVersion.set(running, {
    version: running,
    release: byVersion.get(running)?.release,
    isRunning: true,
    document,
  });
  return [...byVersion.values()].toSorted((one, other) => rcompare(one.version, other.version));
}

function readVersion(contract: ContractName): string {
  const text = readFileSync(new URL(`../../${RUNNING[contract]}`, import.meta.url), 'utf8');
  return (JSON.parse(text) as { info: { version: string } }).info.version;
}
