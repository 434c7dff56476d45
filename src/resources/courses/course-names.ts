import type { Language } from '../../contract/languages.ts';

/** The names that people see of a course. */
export interface CourseNames {
  displayName: string;
  /** By language. */
  localizedNames: Readonly<Record<string, string>>;
}

/** The name of a course in a language; its display name without one. Mails have it from `courseNameFor`. */
export function localName({ displayName, localizedNames }: CourseNames, language: Language): string {
  return localizedNames[language] ?? displayName;
}
