// The state of an attempt at a package with several SCOs, the items of the manifest that report results.
//
// Each SCO has a separate runtime state. The state of the item that is played first is at the top of the stored JSON,
// as in a package with one SCO; the states of the other items are in `others`, by the position of the item. On the
// content host, learners choose items from a menu, and reports name the item. In the sandbox, learners take one SCO,
// and reports name no item.
//
// The course takes its result from its required items: every visible SCO with a page. The attempt ends as soon as each
// of them is passed, completed or failed. If items have reported scores, the score of the attempt is their mean, and
// the pass mark decides the grade. Without scores, the attempt is passed if an item is passed, and otherwise completed.
// In both cases, the attempt is failed if an item without a score is failed. A score below the pass mark does not end
// the attempt while an item is suspended with a position to continue from, as in a package with one SCO.
import { ApiError, invalidField } from '../../../contract/errors.ts';
import type { ManifestItem } from './inspection/manifest-items.ts';
import {
  isEnded,
  isFailed,
  isPassed,
  isResumable,
  type PackageResult,
  readResult,
  readScore,
  type ScormRuntimeState,
} from './scorm-runtime-rules.ts';

export interface PackageState extends ScormRuntimeState {
  /** States of the other items, by position in the manifest. */
  others?: Record<string, ScormRuntimeState>;
  /** Position of the item that reported last; absent if reports name no items. */
  current?: number;
  /** Last reports of items in the current window, by the positions of the items. */
  lastReports?: Record<string, LastReport>;
}

/** Newest report of an item: its number, and the `pageTime` of its page. */
export interface LastReport {
  number: number;
  pageTime: number;
}

/** Maximum total number of characters of the stored states of an attempt's items. */
const MAX_STATES_LENGTH = 4 * 1024 * 1024;

/** Returns the positions of the items that the menu offers: visible pages, and the item that is played first. */
export function listOfferedItems(items: readonly ManifestItem[]): number[] {
  return items.flatMap(({ launchPath, isHidden, isPlayed }, position) =>
    launchPath !== null && (isPlayed || !isHidden) ? [position] : [],
  );
}

/** Returns the position of the item to open for the learner; −1 for a package without stored items. */
export function chooseItem(items: readonly ManifestItem[], state: PackageState, requested?: number): number {
  const offered = listOfferedItems(items);
  const isOffered = (position: number | undefined): position is number =>
    position !== undefined && offered.includes(position);
  if (isOffered(requested)) return requested;
  return isOffered(state.current) ? state.current : items.findIndex(({ isPlayed }) => isPlayed);
}

/** Returns the state of an item; undefined if the item has not reported one. */
export function getItemState(
  items: readonly ManifestItem[],
  state: PackageState,
  position: number,
): ScormRuntimeState | undefined {
  if (position === -1 || items[position]?.isPlayed) return withoutOthers(state);
  return state.others?.[position];
}

/**
 * Merges a report into the stored state.
 * @param position the item that reports; undefined if the report names no item
 * @throws {ApiError} `invalid_request` if the item reports no results, `payload_too_large` if all states are too long
 */
export function mergeReport(
  items: readonly ManifestItem[],
  state: PackageState,
  position: number | undefined,
  reported: Partial<ScormRuntimeState>,
  empty: ScormRuntimeState,
): PackageState {
  // In the sandbox, only the item that is played first counts, even in an attempt that began with a menu while the
  // service had a content host.
  if (position === undefined) return { ...state, ...reported, current: undefined };
  const item = items[position];
  if (!item?.isSco || !listOfferedItems(items).includes(position))
    throw invalidField('body/item', 'must be the position of an item that reports results');
  if (item.isPlayed) return { ...state, ...reported, current: position };
  const own = { ...empty, ...state.others?.[position], ...reported };
  const merged = { ...state, others: { ...state.others, [position]: own }, current: position };
  if (JSON.stringify(merged.others).length <= MAX_STATES_LENGTH) return merged;
  throw new ApiError('payload_too_large', 'The states of the items of the package are too long.');
}

/** Stores the last report of an item separately, because two tabs can have two items open in one window. */
export function withLastReport(state: PackageState, position: number | undefined, report: LastReport): PackageState {
  return position === undefined ? state : { ...state, lastReports: { ...state.lastReports, [position]: report } };
}

/**
 * Compares a report with the last report of its item. Links in the menu can open an item in two tabs of one window, and
 * each tab numbers its own reports. The tab that was opened last takes over the item, and the other tab becomes stale.
 */
export function compareReports(last: LastReport, report: LastReport): 'newer' | 'older' | 'stale' {
  if (report.pageTime !== last.pageTime) return report.pageTime > last.pageTime ? 'newer' : 'stale';
  return report.number < last.number ? 'older' : 'newer';
}

/** Reads the result of a course. Returns undefined while the attempt continues. */
export function readCourseResult(
  items: readonly ManifestItem[],
  state: PackageState,
  passMark: number,
): PackageResult | undefined {
  const required = listRequiredItems(items);
  if (state.current === undefined || required.length < 2) return readResult(state, passMark);
  const states = required.flatMap((position) => getItemState(items, state, position) ?? []);
  if (states.length < required.length || !states.every(isEnded)) return undefined;
  const scores = states.flatMap((own) => readScore(own) ?? []);
  if (states.some((own) => isFailed(own) && readScore(own) === undefined)) return { passed: false };
  if (scores.length > 0) {
    const mean = scores.reduce((sum, score) => sum + score, 0) / scores.length;
    const score = Math.round(mean * 100) / 100;
    return score < passMark && states.some(isResumable) ? undefined : { score };
  }
  return states.some(isPassed) ? { passed: true } : {};
}

/** Returns the positions of the items that decide whether the course is passed. */
export function listRequiredItems(items: readonly ManifestItem[]): number[] {
  return listOfferedItems(items).filter((position) => items[position]!.isSco);
}

function withoutOthers({
  others: _others,
  current: _current,
  lastReports: _lastReports,
  ...own
}: PackageState): ScormRuntimeState {
  return own;
}
