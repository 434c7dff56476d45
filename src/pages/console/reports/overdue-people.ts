import { isOffered } from '../admin.ts';
import type { Schemas } from '../../../contract/contract.ts';
import { html } from '../../../http/html/html.ts';
import { given, type Report, type ReportReader } from './report.ts';
import type { ReportQuery } from './report-query.ts';
import { reportsMessages } from './reports-messages.ts';

const toInput = ({ department, groupId, managerId }: ReportQuery) =>
  given({ assignmentStatus: 'overdue', department, groupId, managerId });

/** The overdue assignments of a department, a group, the people of a manager, or everybody. */
export const overduePeople: Report = {
  needs: 'listAssignments',
  filters: [],
  call: (query) => ({ operationId: 'listAssignments', input: toInput(query) }),
  async read(reader) {
    const { runs, admin, query, formats } = reader;
    const { columns, kinds, nothingOverdue, overduePeople: text } = reportsMessages[admin.language];
    const { items, nextCursor } = await runs.page('listAssignments', admin.caller, toInput(query), query.cursor);
    const names = await readNames(reader, items);
    return {
      text: items.length === 0 ? nothingOverdue : text,
      columns: [columns.name, columns.email, columns.task, columns.dueOn],
      rows: items.map(({ learner, item, dueOn }) => [
        html`<bdi>${learner.name}</bdi>`,
        learner.email,
        `${kinds[item.type]}${names.has(item.id) ? `: ${names.get(item.id)!}` : ''}`,
        formats.day(dueOn),
      ]),
      nextCursor,
    };
  },
};

/** Reads the names of the courses and policies on a page. An admin who cannot read them sees only their kinds. */
async function readNames(reader: ReportReader, items: readonly Schemas['Assignment'][]): Promise<Map<string, string>> {
  const { runs, admin } = reader;
  const kinds = new Set(items.map(({ item }) => item.type));
  const [courses, policies] = await Promise.all([
    kinds.has('course') && isOffered(admin, 'listCourses') ? runs.first('listCourses', admin.caller) : undefined,
    kinds.has('policy') && isOffered(admin, 'listPolicies') ? runs.first('listPolicies', admin.caller) : undefined,
  ]);
  const named = [...(courses?.items ?? []), ...(policies?.items ?? [])];
  return new Map(named.map(({ id, name }) => [id, name]));
}
