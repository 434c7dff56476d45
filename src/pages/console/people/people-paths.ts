import { loadAsset } from '../../../http/html/assets.ts';

/** Path of the list of people. */
export const PEOPLE_PATH = '/console/people';

/** Returns the path of a learner's page. */
export function toPersonPath(learnerId: string): string {
  return `${PEOPLE_PATH}/${learnerId}`;
}

const SCRIPT = loadAsset(new URL('assets/people.js', import.meta.url));

export const PEOPLE_ASSETS = [SCRIPT];

/** Page options of the list, which a script reads again while the user types. */
export const SEARCH_PAGE = { scripts: [SCRIPT.path], also: { 'connect-src': "'self'" } };
