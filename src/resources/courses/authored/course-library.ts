import type { Language } from '../../../contract/languages.ts';
import type { CourseText, Fault, WrittenCourse } from './course.ts';
import { readContent } from './read-content.ts';

/** The written courses of a process. They are read when one is first asked for. */
export class CourseLibrary {
  readonly #folder: string;
  readonly #tellFaults: (faults: readonly Fault[]) => void;
  #courses: Promise<readonly WrittenCourse[]> | undefined;

  /** @param reportFaults is told what is wrong with courses that are left out, once */
  constructor(folder: string, reportFaults: (faults: readonly Fault[]) => void) {
    this.#folder = folder;
    this.#tellFaults = reportFaults;
  }

  all(): Promise<readonly WrittenCourse[]> {
    this.#courses ??= this.#read();
    return this.#courses;
  }

  /** What a course of the catalogue is written in; undefined for one that is taken elsewhere. */
  async find({ id, type }: Pick<WrittenCourse, 'id' | 'type'>): Promise<WrittenCourse | undefined> {
    return (await this.all()).find((course) => (type === 'gap_analysis' ? course.type === type : course.id === id));
  }

  async #read(): Promise<readonly WrittenCourse[]> {
    try {
      const { courses, faults } = await readContent(this.#folder);
      if (faults.length > 0) this.#tellFaults(faults);
      return courses;
    } catch (error) {
      this.#courses = undefined;
      throw error;
    }
  }
}

/** The language of a course for somebody: the first of these that it has, else English. */
export function languageFor({ languages }: WrittenCourse, wanted: readonly (string | null)[]): Language {
  for (const language of wanted) {
    const known = languages.find((one) => one === language);
    if (known) return known;
  }
  return 'en';
}

export function textOf({ texts }: WrittenCourse, language: Language): CourseText {
  return texts.get(language) ?? texts.get('en')!;
}
