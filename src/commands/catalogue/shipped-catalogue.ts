import { inLine, type AuthoredCourse } from '../../resources/courses/authored/course.ts';
import { readContent, SHIPPED_CONTENT } from '../../resources/courses/authored/read-content.ts';
import { readTemplates, type WrittenTemplate } from '../../resources/simulations/templates/written-templates.ts';
import { CommandError } from '../command.ts';
import type { TargetCourse } from './catalogue-file.ts';

/**
 * Reads the courses that ship with the service, as catalogue entries.
 * @param withPieces whether to add the pieces of the courses
 * @throws {CommandError} that names each fault
 */
export async function shippedCatalogue(withPieces = false): Promise<TargetCourse[]> {
  const { courses, faults } = await readContent(SHIPPED_CONTENT);
  if (faults.length > 0) throw new CommandError(['The courses are invalid:', ...faults.map(inLine)].join('\n  '));
  return courses.filter(({ pieceOf }) => withPieces || pieceOf === null).map(toTargetCourse);
}

/** Reads the templates of simulations that ship with the service. @throws {CommandError} that names each fault */
export async function shippedTemplates(): Promise<WrittenTemplate[]> {
  const { templates, faults } = await readTemplates(SHIPPED_CONTENT);
  if (faults.length > 0) throw new CommandError(['The templates are invalid:', ...faults.map(inLine)].join('\n  '));
  return templates;
}

/**
 * Converts a course to an entry. The gap analysis keeps its stored id. The operator decides which courses are retired.
 */
function toTargetCourse(course: AuthoredCourse): TargetCourse {
  const { id, slug, type, texts, minutes, passMark, languages, pieceOf } = course;
  const { name, summary } = texts.get('en')!;
  const isGapAnalysis = type === 'gap_analysis';
  const subject = isGapAnalysis ? 'All subjects' : (pieceOf ?? course).texts.get('en')!.name;
  return {
    ...{ id: isGapAnalysis ? undefined : id, type, retired: undefined },
    content: {
      ...{ external_id: null, name: slug, display_name: name, subject },
      ...{ difficulty: isGapAnalysis ? 2 : 1, description: summary, duration_minutes: minutes, pass_mark: passMark },
      valid_for_months: null,
      localized_names: Object.fromEntries([...texts].map(([language, text]) => [language, text.name])),
      locales: [...languages],
    },
  };
}
