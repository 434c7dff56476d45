import type { Language } from '../../contract/languages.ts';

/** Names of a course, as its learners see them. */
export interface CourseNames {
  displayName: string;
  /** Names by language. */
  localizedNames: Readonly<Record<string, string>>;
}

/**
 * Returns the name of a course in a language, or its display name. `courseNameFor` is the same function in SQL, for
 * emails.
 */
export function localName({ displayName, localizedNames }: CourseNames, language: Language): string {
  return localizedNames[language] ?? displayName;
}
