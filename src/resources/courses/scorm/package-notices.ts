import type { PackageLimits } from '../../../config/package-limits.ts';
import type { Schemas } from '../../../contract/contract.ts';
import type { ManifestItem } from './inspection/manifest-items.ts';
import type { PackageReport } from './inspection/inspect-package.ts';
import type { StoredPackage } from './package-repository.ts';

type Notice = Schemas['CoursePackageNotice'];

/** Configuration of the service that decides which package features work. */
export interface PackageHost {
  /** Whether packages run on the content host, instead of in a sandbox without an origin. */
  hasContentHost: boolean;
  packageLimits: PackageLimits;
}

const MAX_DETAILS = 20;

/** Converts a stored package to the contract's schema, with notices about everything in it that does not work here. */
export function toCoursePackage(
  { report, ...stored }: StoredPackage,
  host: Pick<PackageHost, 'hasContentHost'>,
): Schemas['CoursePackage'] {
  const { authoringTool = null, features = [], externalHosts = [] } = report;
  const notices = [
    ...listItemNotices(stored.items, host),
    ...listFileNotices(report),
    ...listFeatureNotices(report, host),
  ];
  return { ...stored, authoringTool, features, externalHosts, notices };
}

function toNotice(code: Notice['code'], message: string, details: readonly string[] = []): Notice {
  return { code, message, details: details.slice(0, MAX_DETAILS) };
}

function listItemNotices(
  items: readonly ManifestItem[],
  { hasContentHost }: Pick<PackageHost, 'hasContentHost'>,
): Notice[] {
  const others = items.filter(({ isSco, isPlayed }) => isSco && !isPlayed).map(toName);
  const assets = items.filter(({ isSco, launchPath }) => !isSco && launchPath !== null).map(toName);
  const missing = items.filter(({ isSco, launchPath }) => isSco && launchPath === null).map(toName);
  return [
    ...(!hasContentHost && others.length > 0
      ? [
          toNotice(
            'other_scos',
            'In the sandbox, learners take only the first SCO. The other SCOs are not offered to them.',
            others,
          ),
        ]
      : []),
    ...(!hasContentHost && assets.length > 0
      ? [
          toNotice(
            'assets_not_offered',
            'In the sandbox, items without results are not offered to learners as pages.',
            assets,
          ),
        ]
      : []),
    ...(missing.length > 0
      ? [toNotice('pages_missing', 'The pages of some items are not in the package.', missing)]
      : []),
  ];
}

function toName({ title, id }: ManifestItem): string {
  return title ?? id ?? '–';
}

function listFileNotices({ leftOut = [], downloads = [], dispatchHost = null }: Partial<PackageReport>): Notice[] {
  const [dispatched, programs, saved] = [
    'The start page opens a page on another host. That page is not part of the package and is blocked here.',
    'Programs are left out of the package.',
    'Browsers save these files instead of showing them.',
  ];
  return [
    ...(dispatchHost === null ? [] : [toNotice('dispatch_package', dispatched, [dispatchHost])]),
    ...(leftOut.length === 0 ? [] : [toNotice('files_left_out', programs, leftOut)]),
    ...(downloads.length === 0 ? [] : [toNotice('files_as_downloads', saved, downloads)]),
  ];
}

function listFeatureNotices(
  { features = [], externalHosts = [] }: Partial<PackageReport>,
  { hasContentHost }: Pick<PackageHost, 'hasContentHost'>,
): Notice[] {
  const inSandbox = [
    ['frames', 'frames_isolated', 'Frames of the package cannot reach each other in the sandbox; results can be lost.'],
    ['storage', 'storage_discarded', 'Cookies and browser storage are discarded when the window is closed.'],
    ['popups', 'popups_blocked', 'Windows that the package opens are blocked in the sandbox.'],
    ['workers', 'workers_blocked', 'Background scripts (workers) are blocked in the sandbox.'],
  ] as const;
  const [external, flash] = [
    'Files on other hosts are blocked, such as web fonts and embedded videos.',
    'No current browser plays Flash.',
  ];
  return [
    ...inSandbox.flatMap(([feature, code, message]) =>
      !hasContentHost && features.includes(feature) ? [toNotice(code, message)] : [],
    ),
    ...(externalHosts.length > 0 ? [toNotice('external_files_blocked', external, externalHosts)] : []),
    ...(features.includes('flash') ? [toNotice('flash_unsupported', flash)] : []),
  ];
}
