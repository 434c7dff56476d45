import type { Language } from '../../../contract/languages.ts';
import { type AuthoredCourse, type CourseFiles, type CourseText, type Fault, getBaseLanguage } from './course.ts';

/** The authored courses of a process. Reads them when the first one is requested. */
export class CourseLibrary {
  readonly #folder: string | undefined;
  readonly #reportFaults: (faults: readonly Fault[]) => void;
  #courses: Promise<readonly AuthoredCourse[]> | undefined;

  /**
   * @param folder undefined for the courses that come with the service
   * @param reportFaults receives the faults of the courses that are left out, each time the courses are read
   */
  constructor(folder: string | undefined, reportFaults: (faults: readonly Fault[]) => void) {
    this.#folder = folder;
    this.#reportFaults = reportFaults;
  }

  all(): Promise<readonly AuthoredCourse[]> {
    this.#courses ??= this.#read();
    return this.#courses;
  }

  /** Returns the authored content of a catalogue course; undefined if learners take the course elsewhere. */
  async find({ id, type }: Pick<AuthoredCourse, 'id' | 'type'>): Promise<AuthoredCourse | undefined> {
    return (await this.all()).find((course) => (type === 'gap_analysis' ? course.type === type : course.id === id));
  }

  /** Returns a picture of a course. @param name last segment of the picture's URL */
  async findPicture(slug: string, name: string): Promise<Buffer | undefined> {
    return (await this.all()).find((course) => course.slug === slug)?.pictures.get(`${slug}/${name}`);
  }

  /**
   * Reads the files of a training course; undefined if the library lacks the course, or has it only as a piece of
   * another.
   */
  async readFiles(courseId: string): Promise<CourseFiles | undefined> {
    const course = await this.find({ id: courseId, type: 'training' });
    if (!course || course.pieceOf) return undefined;
    const { readFiles, SHIPPED_CONTENT } = await import('./read-content.ts');
    return readFiles(this.#folder ?? SHIPPED_CONTENT, `courses/${course.slug}`, []);
  }

  async #read(): Promise<readonly AuthoredCourse[]> {
    try {
      // Loaded lazily, because the module renders Markdown, which most processes never do.
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

/** Returns the first of the preferred languages that the course has; otherwise its base language. */
export function languageFor({ languages }: AuthoredCourse, preferred: readonly (string | null)[]): Language {
  for (const language of preferred) {
    const match = languages.find((one) => one === language);
    if (match) return match;
  }
  return getBaseLanguage(languages);
}

export function getCourseText({ texts, languages }: AuthoredCourse, language: Language): CourseText {
  return texts.get(language) ?? texts.get(getBaseLanguage(languages))!;
}
