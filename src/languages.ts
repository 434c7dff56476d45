/** The languages that the service speaks to people: in its messages and on its pages. */
export const LANGUAGES = ['en', 'de', 'fr'] as const;
export type Language = (typeof LANGUAGES)[number];

const TAG = /^[a-z]{2,3}(-[A-Z][a-z]{3})?(-([A-Z]{2}|[0-9]{3}))?$/;

/** The language tag for a locale in another spelling: `de-CH` for `de_CH`, `de-ch` or `de_CH.UTF-8`; undefined for none. */
export function languageTag(locale: string): string | undefined {
  const [name = ''] = locale.trim().split(/[.@]/);
  try {
    const [tag = ''] = Intl.getCanonicalLocales(name.replaceAll('_', '-'));
    return TAG.test(tag) ? tag : undefined;
  } catch {
    return undefined;
  }
}

/** Languages as they are stored, each once: `de_CH` and `de-CH` are the same. */
export function languageTags(locales: readonly string[]): string[] {
  return [...new Set(locales.map((locale) => languageTag(locale) ?? locale))];
}

/** The language for a tag such as `de-CH`: English where the service does not speak the one that is asked for. */
export function languageOf(locale: string | null): Language {
  const language = locale?.split('-')[0]?.toLowerCase();
  return LANGUAGES.find((known) => known === language) ?? 'en';
}
