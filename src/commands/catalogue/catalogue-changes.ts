import { isDeepStrictEqual } from 'node:util';
import type { CourseContent, TargetCourse } from './catalogue-file.ts';

/** A managed course as stored. */
export interface StoredCourse {
  id: string;
  type: string;
  retired: boolean;
  content: CourseContent;
}

export type CourseChange =
  | { kind: 'new'; course: TargetCourse }
  | {
      kind: 'changed';
      id: string;
      course: TargetCourse;
      columns: (keyof CourseContent)[];
      retires: boolean | undefined;
    };

export interface CatalogueChanges {
  changes: CourseChange[];
  /** Number of courses in the file that the catalogue already has unchanged. */
  unchangedCount: number;
  /** Number of courses in the catalogue that are not in the file. */
  otherCount: number;
  refusals: string[];
}

/** Computes the changes that make the catalogue match a file. */
export function compareCatalogue(stored: readonly StoredCourse[], targets: readonly TargetCourse[]): CatalogueChanges {
  const byId = new Map(stored.map((course) => [course.id, course]));
  const byExternalId = new Map(stored.map((course) => [course.content.external_id, course]));
  const changes: CourseChange[] = [];
  const refusals: string[] = [];
  const matched = new Set<StoredCourse>();
  targets.forEach((course, index) => {
    const { external_id: externalId } = course.content;
    const named = externalId === null ? undefined : byExternalId.get(externalId);
    const isOnly = course.id === undefined && externalId === null && course.type === 'gap_analysis';
    const only = isOnly ? stored.find(({ type }) => type === 'gap_analysis') : undefined;
    const before = course.id === undefined ? (named ?? only) : byId.get(course.id);
    if (named && named !== before)
      return refusals.push(`courses/${index}/externalId: course ${named.id} already has it`);
    if (!before) return changes.push({ kind: 'new', course });
    if (matched.has(before)) return refusals.push(`courses/${index}: course ${before.id} is in the file twice`);
    matched.add(before);
    if (before.type !== course.type) return refusals.push(`courses/${index}/type: must stay ${before.type}`);
    // A course that is found by its id keeps its externalId if the file does not state one.
    const content = { ...course.content, external_id: externalId ?? before.content.external_id };
    const columns = (Object.keys(content) as (keyof CourseContent)[]).filter(
      (column) => !isDeepStrictEqual(content[column], before.content[column]),
    );
    const retires = course.retired === before.retired ? undefined : course.retired;
    if (columns.length > 0 || retires !== undefined) {
      changes.push({ kind: 'changed', id: before.id, course: { ...course, content }, columns, retires });
    }
    return undefined;
  });
  const unchangedCount = matched.size - changes.filter(({ kind }) => kind === 'changed').length;
  return { changes, unchangedCount, otherCount: stored.length - matched.size, refusals };
}
