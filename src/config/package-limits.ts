import { ConfigError, type Env, integer } from './variables.ts';

const MIB = 1024 * 1024;

/** Limits of SCORM packages, in bytes. */
export interface PackageLimits {
  /** Maximum size of a ZIP file. */
  readonly maxBytes: number;
  /** Maximum total size of the files in it. */
  readonly maxUnpackedBytes: number;
  /** Maximum size of all ZIP files of a company. */
  readonly maxCompanyBytes: number;
}

/**
 * Reads the limits of packages. A package is one value of up to 1 GB in the database, and passes through memory once
 * while it is stored, so the highest setting is 500 MiB.
 */
export function packageLimits(env: Env): PackageLimits {
  const limits = {
    maxBytes: integer(env, 'PACKAGE_MAX_MIB', 100, 1, 500) * MIB,
    maxUnpackedBytes: integer(env, 'PACKAGE_UNPACKED_MAX_MIB', 256, 1, 2047) * MIB,
    maxCompanyBytes: integer(env, 'PACKAGES_MAX_MIB_PER_COMPANY', 1024, 1, 1024 * 1024) * MIB,
  };
  if (limits.maxCompanyBytes < limits.maxBytes)
    throw new ConfigError('PACKAGES_MAX_MIB_PER_COMPANY must not be less than PACKAGE_MAX_MIB');
  return Object.freeze(limits);
}

/** Limits that apply unless the operator sets others. */
export const DEFAULT_PACKAGE_LIMITS = packageLimits({});
