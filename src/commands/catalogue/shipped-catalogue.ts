import { inLine, type AuthoredCourse } from '../../resources/courses/authored/course.ts';
import { readContent, SHIPPED_CONTENT } from '../../resources/courses/authored/read-content.ts';
import { readTemplates, type WrittenTemplate } from '../../resources/simulations/templates/written-templates.ts';
import { CommandError } from '../command.ts';
import type { TargetCourse } from './catalogue-file.ts';

/** Reads the courses that ship with the service, as catalogue entries. @throws {CommandError} that names each fault */
export async function shippedCatalogue(folder: string = SHIPPED_CONTENT): Promise<TargetCourse[]> {
  const { courses, faults } = await readContent(folder);
  if (faults.length > 0) throw new CommandError(['The courses are invalid:', ...faults.map(inLine)].join('\n  '));
  return courses.map(toWanted);
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
function toWanted({ id, slug, type, texts, minutes, passMark, languages }: AuthoredCourse): TargetCourse {
  const { name, summary } = texts.get('en')!;
  const isGapAnalysis = type === 'gap_analysis';
  return {
    ...{ id: isGapAnalysis ? undefined : id, type, retired: undefined },
    content: {
      ...{ external_id: null, name: slug, display_name: name, subject: isGapAnalysis ? 'All subjects' : name },
      ...{ difficulty: isGapAnalysis ? 2 : 1, description: summary, duration_minutes: minutes, pass_mark: passMark },
      valid_for_months: null,
      localized_names: Object.fromEntries([...texts].map(([language, text]) => [language, text.name])),
      locales: [...languages],
    },
  };
}
