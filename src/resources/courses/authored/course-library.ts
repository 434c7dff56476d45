import type { Language } from '../../../contract/languages.ts';
import type { CourseText, Fault, AuthoredCourse } from './course.ts';

/** The written courses of a process. They are read when one is first asked for. */
export class CourseLibrary {
  readonly #folder: string | undefined;
  readonly #reportFaults: (faults: readonly Fault[]) => void;
  #courses: Promise<readonly AuthoredCourse[]> | undefined;

  /**
   * @param folder undefined for the courses that come with the service
   * @param reportFaults is told what is wrong with courses that are left out, once
   */
  constructor(folder: string | undefined, reportFaults: (faults: readonly Fault[]) => void) {
    this.#folder = folder;
    this.#reportFaults = reportFaults;
  }

  all(): Promise<readonly AuthoredCourse[]> {
    this.#courses ??= this.#read();
    return this.#courses;
  }

  /** What a course of the catalogue is written in; undefined for one that is taken elsewhere. */
  async find({ id, type }: Pick<AuthoredCourse, 'id' | 'type'>): Promise<AuthoredCourse | undefined> {
    return (await this.all()).find((course) => (type === 'gap_analysis' ? course.type === type : course.id === id));
  }

  /** A picture of a course, by its name in addresses. */
  async findPicture(slug: string, name: string): Promise<Buffer | undefined> {
    return (await this.all()).find((course) => course.slug === slug)?.pictures.get(`${slug}/${name}`);
  }

  async #read(): Promise<readonly AuthoredCourse[]> {
    try {
      // Loaded when it is needed: it renders Markdown, which most processes never do.
      const { readContent, SHIPPED_CONTENT } = await import('./read-content.ts');
      const { courses, faults } = await readContent(this.#folder ?? SHIPPED_CONTENT);
      if (faults.length > 0) this.#reportFaults(faults);
      return courses;
    } catch (error) {
      this.#courses = undefined;
      throw error;
    }
  }
}

/** The language of a course for somebody: the first of these that it has, else English. */
export function languageFor({ languages }: AuthoredCourse, preferred: readonly (string | null)[]): Language {
  for (const language of preferred) {
    const match = languages.find((one) => one === language);
    if (match) return match;
  }
  return 'en';
}

export function getCourseText({ texts }: AuthoredCourse, language: Language): CourseText {
  return texts.get(language) ?? texts.get('en')!;
}
