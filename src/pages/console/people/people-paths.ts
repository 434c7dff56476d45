import { loadAsset } from '../../../http/html/assets.ts';

/** The address of the list of people. */
export const PEOPLE_PATH = '/console/people';

/** Returns the address of the page of a learner. */
export function toPersonPath(learnerId: string): string {
  return `${PEOPLE_PATH}/${learnerId}`;
}

const SCRIPT = loadAsset(new URL('assets/people.js', import.meta.url));

export const PEOPLE_ASSETS = [SCRIPT];

/** The requirements of the list, which a script reads again as one types. */
export const SEARCH_PAGE = { scripts: [SCRIPT.path], also: { 'connect-src': "'self'" } };
