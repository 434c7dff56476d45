import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { readCourse } from './read-course.ts';
import type { CourseFiles, Fault, AuthoredCourse } from './course.ts';

export interface Content {
  /** Courses without faults, each followed by its pieces. */
  courses: readonly AuthoredCourse[];
  faults: readonly Fault[];
}

const MAX_FILE_BYTES = 256 * 1024;

/** Folder of the content that comes with the service. */
export const SHIPPED_CONTENT = new URL('../../../../content', import.meta.url).pathname;

/** Reads the courses in the subfolder `courses`, and the gap analysis. A missing folder yields no courses. */
export async function readContent(folder: string): Promise<Content> {
  const hasGapAnalysis = (await listEntries(folder)).some(({ name }) => name === 'gap-analysis');
  const paths = [...(await listFolders(folder, 'courses')), ...(hasGapAnalysis ? ['gap-analysis'] : [])];
  const faults: Fault[] = [];
  const courses: AuthoredCourse[] = [];
  for (const path of paths) {
    const before = faults.length;
    const course = readCourse(path, await readFiles(folder, path, faults), faults);
    const added = course ? [course, ...course.pieces] : [];
    added.forEach(({ id }, index) => {
      const twin = [...courses, ...added.slice(0, index)].find((other) => other.id === id);
      if (twin) faults.push({ file: `${path}/course.yaml`, place: 'id', message: `${twin.slug} has the same id` });
    });
    if (faults.length === before) courses.push(...added);
  }
  judgeSubjects(courses, faults);
  return { courses, faults };
}

/** Requires a training course for every subject of the gap analysis. */
function judgeSubjects(courses: readonly AuthoredCourse[], faults: Fault[]): void {
  const trainings = courses.filter(({ type, pieceOf }) => type === 'training' && pieceOf === null);
  const slugs = new Set(trainings.map(({ slug }) => slug));
  for (const { type, slug, steps } of courses) {
    if (type === 'training') continue;
    const file = `${slug}/en/questions.yaml`;
    const unknown = steps.flatMap(({ questions }) => questions).filter(({ subject }) => !slugs.has(subject ?? ''));
    faults.push(...unknown.map(({ id, subject }) => ({ file, place: id, message: `no course teaches ${subject}` })));
  }
}

/** Lists the folders in a part of the content folder, as sorted paths relative to the content folder. */
export async function listFolders(folder: string, part: string): Promise<string[]> {
  const folders = (await listEntries(join(folder, part))).filter(({ isFolder }) => isFolder);
  return folders.map(({ name }) => `${part}/${name}`).sort();
}

/** Reads the files of a course or template, keyed by their paths in its folder. */
export async function readFiles(folder: string, path: string, faults: Fault[]): Promise<CourseFiles> {
  const files = new Map<string, Buffer>();
  for (const { name, isFolder } of await listEntries(join(folder, path))) {
    const within = isFolder
      ? (await listEntries(join(folder, path, name))).map((entry) => `${name}/${entry.name}`)
      : [name];
    for (const file of within) {
      const bytes = await readFile(join(folder, path, file));
      if (bytes.length > MAX_FILE_BYTES)
        faults.push({ file: `${path}/${file}`, place: '', message: `is larger than ${MAX_FILE_BYTES / 1024} KiB` });
      else files.set(file, bytes);
    }
  }
  return files;
}

async function listEntries(folder: string): Promise<{ name: string; isFolder: boolean }[]> {
  const entries = await readdir(folder, { withFileTypes: true }).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return [];
    throw error;
  });
  return entries.map((entry) => ({ name: entry.name, isFolder: entry.isDirectory() }));
}
