/** The languages that the service speaks to people: in its messages and on its pages. */
export const LANGUAGES = ['en', 'de', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

const PARTS = /^([a-z]{2,3})(?:[-_]([a-z]{4}))?(?:[-_]([a-z]{2}|[0-9]{3}))?(?:[.@]|$)/i;

/**
 * The language tag for a locale in another spelling: `de-CH` for `de_CH`, `de-ch` or `de_CH.UTF-8`; undefined for none.
 * Only the spelling changes: `iw` does not become `he`, so a tag is stored as it is sent.
 */
export function languageTag(locale: string): string | undefined {
  const parts = PARTS.exec(locale.trim());
  if (!parts) return undefined;
  const [, language = '', script = '', region = ''] = parts;
  const titled = script && script[0]!.toUpperCase() + script.slice(1).toLowerCase();
  return [language.toLowerCase(), titled, region.toUpperCase()].filter((part) => part !== '').join('-');
}

/** Languages as they are stored, each once: `de_CH` and `de-CH` are the same. */
export function languageTags(locales: readonly string[]): string[] {
  return [...new Set(locales.map((locale) => languageTag(locale) ?? locale))];
}

/** The language for a tag such as `de-CH`: English where the service does not speak the one that is asked for. */
export function toLanguage(locale: string | null): Language {
  const language = locale?.split('-')[0]?.toLowerCase();
  return LANGUAGES.find((candidate) => candidate === language) ?? 'en';
}
