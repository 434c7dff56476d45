import type { Caller } from '../../../auth/caller.ts';
import type { KeyedOperationId } from '../../../contract/contract.ts';
import type { Schemas } from '../../../contract/contract.ts';
import type { SelectItem } from '../../shared/parts/fields.ts';
import { canCall } from '../admin.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import { formatItem } from './campaign-form-values.ts';

type Item = Schemas['CampaignItem'];

/**
 * The items that a campaign can refer to, with their names. Each list has at most as many items as one page of its
 * operation.
 */
export interface CampaignChoices {
  courses: SelectItem[];
  policies: SelectItem[];
  templates: SelectItem[];
  groups: SelectItem[];
  /** The time zone of the company. */
  timeZone: string;
}

interface Reader {
  runs: ConsoleRuns;
  caller: Caller;
  modules: readonly string[];
}

/** Reads the choices that the form of a campaign offers. They always include the items that the campaign has. */
export async function readChoices(reader: Reader, items: readonly Item[] = []): Promise<CampaignChoices> {
  const { runs, caller } = reader;
  const can = (operationId: KeyedOperationId, module?: string) =>
    canCall(caller, operationId) && (module === undefined || reader.modules.includes(module));
  const [courses, policies, templates, groups, timeZone] = await Promise.all([
    can('listCourses', 'smlearn') ? runs.first('listCourses', caller) : NOTHING,
    can('listPolicies', 'smpolicy') ? runs.first('listPolicies', caller) : NOTHING,
    can('listSimulationTemplates', 'smphish') ? runs.first('listSimulationTemplates', caller) : NOTHING,
    can('listGroups') ? runs.first('listGroups', caller) : NOTHING,
    readTimeZone(reader),
  ]);
  const choices = {
    courses: courses.items.map(({ id, displayName }): SelectItem => [`course:${id}`, displayName]),
    policies: policies.items.filter(({ isLive }) => isLive).map(({ id, name }): SelectItem => [`policy:${id}`, name]),
    templates: templates.items.map(({ id, name }): SelectItem => [`simulationTemplate:${id}`, name]),
    groups: groups.items.map(({ id, name }): SelectItem => [id, name]),
  };
  const missing = items.filter(
    (item) =>
      !Object.values(choices)
        .flat()
        .some(([value]) => value === formatItem(item)),
  );
  const lists = { course: choices.courses, policy: choices.policies, simulationTemplate: choices.templates };
  for (const item of missing) lists[item.type].push([formatItem(item), await readItemName(reader, item)]);
  return { ...choices, timeZone };
}

const NOTHING = { items: [], isCut: false };

/** Reads the company's time zone, in which its days begin. */
export async function readTimeZone({ runs, caller }: Pick<Reader, 'runs' | 'caller'>): Promise<string> {
  if (!canCall(caller, 'getCompanySettings')) return 'UTC';
  return (await runs.run('getCompanySettings', caller, {})).timeZone ?? 'UTC';
}

/** Reads the name of an item; returns its id if the admin cannot read the item. */
export async function readItemName({ runs, caller, modules }: Reader, { type, id }: Item): Promise<string> {
  try {
    if (type === 'course' && modules.includes('smlearn'))
      return (await runs.run('getCourse', caller, { courseId: id })).displayName;
    if (type === 'policy' && modules.includes('smpolicy'))
      return (await runs.run('getPolicy', caller, { policyId: id })).name;
    if (type === 'simulationTemplate' && modules.includes('smphish'))
      return (await runs.run('getSimulationTemplate', caller, { simulationTemplateId: id })).name;
  } catch {
    // The item was deleted in the meantime, or this role cannot read it.
  }
  return id;
}
