import { getItemState, listOfferedItems, type PackageState } from './package-state.ts';
import type { ScormRuntimeState } from './scorm-runtime-rules.ts';

type Items = Parameters<typeof listOfferedItems>[0];

/** An entry of a package's menu: an item that can be opened, or a heading above other items. */
export interface MenuItem {
  /** Position of the item in the manifest. */
  position: number;
  level: number;
  title: string;
  isHeading: boolean;
  /** Whether the item reports results; false for a handout. */
  isSco: boolean;
  /** Status that the item has reported; null if it has reported none. */
  status: 'begun' | 'completed' | 'passed' | 'failed' | null;
  /** Path of a handout that browsers cannot show in a frame; null for other items. */
  downloadPath: string | null;
}

/**
 * Pattern for the paths of pages and pictures. Browsers show nothing else in a sandboxed frame, where PDF viewers are
 * blocked.
 */
const SHOWN = /(\.(x?html?|svg|png|jpe?g|gif|webp|txt)|\/[^./]*)$/i;

/** Lists the items that learners can open, and the headings above them, in the order of the manifest. */
export function listMenu(items: Items, state: PackageState): MenuItem[] {
  const offered = new Set(listOfferedItems(items));
  return items.flatMap(({ title, id, level, isSco, isHidden, launchPath }, position) => {
    const isHeading = !offered.has(position);
    if (isHeading && (isHidden || !isAboveOffered(items, position, offered))) return [];
    const own = isSco && !isHeading ? getItemState(items, state, position) : undefined;
    const isShown = isHeading || isSco || SHOWN.test(`/${launchPath!.replace(/[?#].*$/s, '')}`);
    return {
      ...{ position, level, isHeading, isSco, title: title ?? id ?? String(position + 1) },
      status: own ? toStatus(own) : null,
      downloadPath: isShown ? null : launchPath,
    };
  });
}

function isAboveOffered(items: Items, position: number, offered: ReadonlySet<number>): boolean {
  for (let below = position + 1; below < items.length && items[below]!.level > items[position]!.level; below += 1)
    if (offered.has(below)) return true;
  return false;
}

function toStatus({ status, success }: ScormRuntimeState): MenuItem['status'] {
  if (success === 'failed' || status === 'failed') return 'failed';
  if (success === 'passed' || status === 'passed') return 'passed';
  if (status === 'completed') return 'completed';
  return status === '' || status === 'not attempted' || status === 'unknown' ? null : 'begun';
}
