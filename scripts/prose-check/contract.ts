import { markdownPassages } from './markdown.ts';
import type { Passage } from './passages.ts';

/** Fields that people read. */
const PROSE = new Set(['description', 'summary', 'title']);
/** Names of webhooks and fields, which some operations have as their summary. */
const NAME = /^[a-z_]+(\.[a-z_]+)*$/;
/** Fields whose contents are data. */
const DATA = new Set(['example', 'examples', 'default', 'enum', 'const']);

/**
 * Returns the passages of a contract: its descriptions, summaries and titles, each string once, at its first pointer.
 */
export function contractPassages(file: string, contract: unknown): Passage[] {
  const seen = new Set<string>();
  const passages: Passage[] = [];
  const walk = (value: unknown, pointer: string): void => {
    if (typeof value !== 'object' || value === null) return;
    for (const [key, child] of Object.entries(value)) {
      const place = `${pointer}/${key.replaceAll('~', '~0').replaceAll('/', '~1')}`;
      if (typeof child !== 'string') {
        if (!DATA.has(key)) walk(child, place);
      } else if (PROSE.has(key) && !seen.has(child) && !NAME.test(child)) {
        seen.add(child);
        passages.push(...markdownPassages(child, { file, pointer: place, line: 1, language: 'en' }));
      }
    }
  };
  walk(contract, '');
  return passages;
}
