import type { Language } from '../../contract/languages.ts';

/** Names of a course for its learners. */
export interface CourseNames {
  displayName: string;
  /** Names by language. */
  localizedNames: Readonly<Record<string, string>>;
}

/** Returns the name of a course in a language, or its display name. In emails, `courseNameFor` does the same in SQL. */
export function localName({ displayName, localizedNames }: CourseNames, language: Language): string {
  return localizedNames[language] ?? displayName;
}
