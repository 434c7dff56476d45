/** The languages of messages and pages. */
export const LANGUAGES = ['en', 'de', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

const PARTS = /^([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|[0-9]{3}))?(?:[.@]|$)/i;

/**
 * Normalizes the spelling of a locale to a language tag: `de_CH`, `de-ch` and `de_CH.UTF-8` become `de-CH`. Returns
 * undefined for a string that is not a locale. Only the spelling changes: `iw` does not become `he`.
 */
export function languageTag(locale: string): string | undefined {
  const parts = PARTS.exec(locale.trim());
  if (!parts) return undefined;
  const [, language = '', script = '', region = ''] = parts;
  const titled = script && script[0]!.toUpperCase() + script.slice(1).toLowerCase();
  return [language.toLowerCase(), titled, region.toUpperCase()].filter((part) => part !== '').join('-');
}

/** Normalizes locales for storage, and removes duplicates. A string that is not a locale is kept unchanged. */
export function languageTags(locales: readonly string[]): string[] {
  return [...new Set(locales.map((locale) => languageTag(locale) ?? locale))];
}

/**
 * Returns the language of a tag such as `de-CH`; English if there is no tag or the service does not have the language.
 */
export function toLanguage(locale: string | null): Language {
  const language = locale?.split('-')[0]?.toLowerCase();
  return LANGUAGES.find((candidate) => candidate === language) ?? 'en';
}
