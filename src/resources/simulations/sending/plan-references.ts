import type { Schemas } from '../../../contract/contract.ts';
import { sql } from '../../../db/sql.ts';
import { mutation, pointQuery, query } from '../../../db/statement.ts';
import type { TenantReader, TenantWriter } from '../../../db/tenant.ts';
import type { SimulationsConfig } from '../../../config/simulation-settings.ts';
import { invalidField, requireExisting, unknownReferences } from '../../../contract/errors.ts';
import { isKnownTimeZone } from '../../learners/shared/company-days.ts';
import { requireGroups } from '../../learners/shared/known-groups.ts';
import { requireLearners } from '../../learners/shared/known-learners.ts';
import { type Draft, noTimeZone, sendingTime } from '../own-simulation-rules.ts';
import type { DayRange, PlannedTemplate, Span } from './plan-rules.ts';

/** Context in which a draft is examined, and the path under which errors are reported. */
interface Examination {
  /** Settings of simulations; undefined if simulations are disabled. */
  simulations: SimulationsConfig | undefined;
  now: Date;
  place: string;
}

interface Examined extends FoundTemplates {
  spans: Span[];
  course: { id: string; ownerId: string } | undefined;
}

/** Checks that a draft can be sent in its current form. @throws invalid_request or not_found, naming the field */
export async function examineDraft(
  tenant: TenantReader,
  draft: Draft,
  { simulations, now, place }: Examination,
): Promise<Examined> {
  const senders = simulations?.senders ?? [];
  const spans = sendingTime(draft, { now, senders, excludedDays: await tenant.queryAll(excludedDays, {}) }, place);
  if (!(await isKnownTimeZone(tenant, draft.timeZone))) throw noTimeZone(place);
  const draftTemplates = await findTemplates(tenant, draft.templateIds, `${place}/templateIds`);
  const course = await findTrainingCourse(tenant, draft.trainingCourseId, `${place}/trainingCourseId`);
  return { ...draftTemplates, spans, course };
}

const lockOwn = mutation<{ templateIds: string[] }>(
  'simulation_plan_templates_lock',
  (p) => sql`
    select id from simulation_templates where owner_id = ${p.companyId} and id = any(${p.templateIds}::uuid[])
     order by id for share`,
);

/**
 * Locks the company's own templates until the transaction ends, so that the content that is sent is the content that
 * was checked.
 */
export async function lockTemplates(tenant: TenantWriter, templateIds: string[]): Promise<void> {
  await tenant.mutate(lockOwn, { templateIds });
}

interface TemplateRow {
  id: string;
  locales: string[];
  deliveryMethod: string;
  isRetired: boolean;
}

const templates = query<{ templateIds: string[] }, TemplateRow>(
  'simulation_plan_templates',
  (p) => sql`
    select id, locales, delivery_method as "deliveryMethod", retired_at is not null as "isRetired"
      from simulation_templates
     where (owner_id = managed_catalogue() or owner_id = ${p.companyId}) and id = any(${p.templateIds}::uuid[])`,
);

/**
 * Returns the given templates that the company has, by id. Locks the company's own templates until the transaction
 * ends.
 */
export async function findTemplateStates(
  tenant: TenantWriter,
  templateIds: string[],
): Promise<Map<string, Pick<TemplateRow, 'isRetired'>>> {
  if (templateIds.length === 0) return new Map();
  await lockTemplates(tenant, templateIds);
  return new Map((await tenant.queryAll(templates, { templateIds })).map((row) => [row.id, row]));
}

interface FoundTemplates {
  templates: PlannedTemplate[];
  deliveryMethod: string;
}

/**
 * Finds the templates of a plan and their common delivery method.
 * @param place path under which errors about the ids are reported
 * @throws not_found, or invalid_request for a template that is retired, or whose delivery method differs from that of
 *   the first template
 */
async function findTemplates(tenant: TenantReader, ids: string[], place: string): Promise<FoundTemplates> {
  const rows = new Map((await tenant.queryAll(templates, { templateIds: ids })).map((row) => [row.id, row]));
  requireExisting('simulation template', ids, new Set(rows.keys()), place);
  const plannedTemplates = ids.map((id) => rows.get(id)!);
  const { deliveryMethod } = plannedTemplates[0]!;
  for (const [position, template] of plannedTemplates.entries()) {
    if (template.isRetired) throw invalidField(`${place}/${position}`, 'must not be retired');
    if (template.deliveryMethod !== deliveryMethod) {
      throw invalidField(
        `${place}/${position}`,
        `must have the delivery method of the first template, ${deliveryMethod}`,
      );
    }
  }
  return { templates: plannedTemplates.map(({ id, locales }) => ({ id, locales })), deliveryMethod };
}

const course = pointQuery<{ courseId: string }, { id: string; ownerId: string; type: string; isRetired: boolean }>(
  'simulation_plan_course',
  (p) => sql`
    select id, owner_id as "ownerId", type, retired_at is not null as "isRetired" from courses
     where (owner_id = managed_catalogue() or owner_id = ${p.companyId}) and removed_at is null and id = ${p.courseId}`,
);

/**
 * Finds the course of a plan; undefined if it has none.
 * @throws not_found, or invalid_request if the course is retired or not a training
 */
async function findTrainingCourse(
  tenant: TenantReader,
  courseId: string | null,
  place: string,
): Promise<{ id: string; ownerId: string } | undefined> {
  if (courseId === null) return undefined;
  const row = await tenant.queryOne(course, { courseId });
  if (!row) throw unknownReferences('course', [place]);
  if (row.isRetired) throw invalidField(place, 'must not be retired');
  if (row.type !== 'training') throw invalidField(place, 'must be a course of type training');
  return row;
}

/** @throws not_found naming the unknown learners or groups */
export async function requireRecipients(
  tenant: TenantWriter,
  { learnerIds = [], groupIds = [] }: Schemas['SimulationRecipientsInput'],
  place: string,
): Promise<void> {
  await requireLearners(tenant, learnerIds, `${place}/learnerIds`);
  await requireGroups(tenant, groupIds, `${place}/groupIds`);
}

/** Lists the days on which no learner of the company gets messages. */
const excludedDays = query<object, DayRange>(
  'simulation_excluded_days',
  (p) => sql`
    select from_date::text as "fromDate", to_date::text as "toDate" from simulation_exclusions
     where company_id = ${p.companyId} and from_date is not null order by from_date, to_date`,
);
