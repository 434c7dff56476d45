/** The languages that the service speaks to people: in its messages and on its pages. */
export const LANGUAGES = ['en', 'de', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

/** The language tag for a locale as other systems write it too: `de-CH` for `de_CH`. */
export function languageTag(locale: string): string {
  return locale.replaceAll('_', '-');
}

/** Languages as they are stored, each once: `de_CH` and `de-CH` are the same. */
export function languageTags(locales: readonly string[]): string[] {
  return [...new Set(locales.map(languageTag))];
}

/** The language for a tag such as `de-CH`: English where the service does not speak the one that is asked for. */
export function languageOf(locale: string | null): Language {
  const language = locale?.split('-')[0]?.toLowerCase();
  return LANGUAGES.find((known) => known === language) ?? 'en';
}
