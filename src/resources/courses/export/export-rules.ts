import type { Language } from '../../../contract/languages.ts';
import { invalidField } from '../../../contract/errors.ts';
import type { ExportFormat } from './package-manifest.ts';

/**
 * Returns the languages of a package in the order of the course. If the course's base language is among them, it comes
 * first.
 * @param requested undefined for all languages
 * @throws invalid_request for a language that the course does not have
 */
export function chooseLanguages(
  available: readonly Language[],
  requested: readonly Language[] | undefined,
  base: Language,
): Language[] {
  const missing = requested?.find((language) => !available.includes(language));
  if (missing) throw invalidField('query/languages', `must be languages of the course: ${available.join(', ')}`);
  const chosen = available.filter((language) => requested?.includes(language) ?? true);
  return chosen.toSorted((one, other) => Number(other === base) - Number(one === base));
}

/** Returns the file name of a package, using only characters that every system accepts. */
export function toFileName(courseName: string, format: ExportFormat): string {
  const plain = courseName.normalize('NFKD').replaceAll(/[^A-Za-z0-9]+/g, '-');
  const name = plain.replaceAll(/^-+|-+$/g, '').slice(0, 80);
  return `${name || 'course'}-${format.replaceAll('_', '-')}.zip`;
}
