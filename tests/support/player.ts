import { askPage, type Learner, type Page } from './learner.ts';
import { managedCourses } from './world.ts';

/** Returns the hidden fields of a page. */
export function hiddenFields({ html }: Page): Record<string, string> {
  const fields = html.matchAll(/<input type="hidden" name="([^"]+)" value="([^"]*)"/g);
  return Object.fromEntries([...fields].map(([, name, value]) => [name!, value!]));
}

/** Submits a page's hidden fields with these choices, such as `first=b&signs=a`. */
export function choose({ cookie }: Learner, path: string, page: Page, choices = ''): Promise<Page> {
  const body = new URLSearchParams([...Object.entries(hiddenFields(page)), ...new URLSearchParams(choices)]);
  return askPage(path, { method: 'POST', body, headers: { cookie } });
}

/**
 * Gives the catalogue the names and durations of the courses in `tests/fixtures/content`, as the `catalogue` command
 * does.
 */
export async function nameWrittenCourses(): Promise<void> {
  const rename = `update courses set display_name = $2, localized_names = $3, duration_minutes = 5 where id = $1`;
  const phishing = { de: 'Grundlagen zu Phishing', en: 'Phishing <basics>' };
  await testService.query(rename, [managedCourses.phishing, phishing.en, phishing]);
  const gapAnalysis = { de: 'Wissensstand', en: 'Gap analysis' };
  await testService.query(rename, [managedCourses.gapAnalysis, gapAnalysis.en, gapAnalysis]);
}

/** Opens a step, submits the choices, and returns the location of the redirect. */
export async function take(learner: Learner, path: string, choices = ''): Promise<string> {
  const page = await choose(learner, path, await learner.get(path), choices);
  expect(page.status).toBe(303);
  return page.headers.get('location')!;
}
