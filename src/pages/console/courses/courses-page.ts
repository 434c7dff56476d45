import type { Schemas } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { apiCalls } from '../../shared/parts/api-calls.ts';
import { emptyState } from '../../shared/parts/empty-state.ts';
import { filterBar } from '../../shared/parts/filter-bar.ts';
import { cursorLinks } from '../../shared/parts/page-links.ts';
import { dataTable } from '../../shared/parts/table.ts';
import { getFormats } from '../overview/figure-formats.ts';
import { coursesMessages } from './courses-messages.ts';

type Figures = Schemas['CourseFigures'];

export const COURSES_PATH = '/console/courses';

export const SOURCES = ['managed', 'custom'] as const;

export interface CoursesView {
  language: Language;
  notice: Html | undefined;
  /** The active filters, in the form that the operation takes. */
  filter: Record<string, string>;
  courses: readonly Figures[];
  cursor: string | undefined;
  nextCursor: string | null;
  canCreate: boolean;
}

/** Renders a page of the list of courses. */
export function coursesContent({ language, filter, courses, cursor, nextCursor, ...view }: CoursesView): Html {
  const messages = coursesMessages[language];
  const sources = SOURCES.map((one) => [one, messages.sources[one]!] as const);
  const isFiltered = Object.keys(filter).length > 0;
  return html`
    ${view.notice}
    <p>${messages.about}</p>
    ${view.canCreate && html`<p><a class="button" href=${`${COURSES_PATH}/new`}>${messages.create}</a></p>`}
    ${filterBar({
      action: COURSES_PATH,
      label: messages.filters,
      filters: [
        { name: 'nameContains', label: messages.name },
        { name: 'source', label: messages.source, options: [['', messages.all], ...sources] },
        {
          name: 'includeRetired',
          label: messages.showRetired,
          options: [
            ['', '–'],
            ['true', messages.showRetired],
          ],
        },
      ],
      values: filter,
      apply: messages.apply,
      reset: messages.reset,
    })}
    ${courses.length === 0 ? emptyState(isFiltered ? messages.noMatch : messages.none) : coursesTable(courses, language)}
    ${cursorLinks({ label: messages.pages, path: COURSES_PATH, values: filter, cursor, nextCursor }, language)}
    ${apiCalls([{ operationId: 'getCourseReport', query: filter }], language)}
  `;
}

function coursesTable(courses: readonly Figures[], language: Language): Html {
  const messages = coursesMessages[language];
  const { number } = getFormats(language);
  const counts = [messages.enrolled, messages.started, messages.finished, messages.passed];
  return dataTable({
    caption: messages.title,
    columns: [messages.name, messages.source, messages.subject, ...counts.map((name) => ({ name, isNumber: true }))],
    rows: courses.map((course) => [
      html`<a href=${toCoursePath(course.courseId)}><bdi>${course.name}</bdi></a>`,
      formatSource(course, language),
      html`<bdi>${course.subject}</bdi>`,
      ...[course.enrollmentCount, course.startedCount, course.finishedCount, course.passedCount].map(number),
    ]),
  });
}

/** Formats where a course comes from, and whether it is special. */
export function formatSource(course: Pick<Figures, 'source' | 'type' | 'retiredAt'>, language: Language): string {
  const messages = coursesMessages[language];
  return [
    messages.sources[course.source] ?? course.source,
    ...(course.type === 'gap_analysis' ? [messages.gapAnalysis] : []),
    ...(course.retiredAt === null ? [] : [messages.retired]),
  ].join(', ');
}

export function toCoursePath(courseId: string, rest = ''): string {
  return `${COURSES_PATH}/${courseId}${rest}`;
}
