import type { Caller } from '../../../../auth/caller.ts';
import type { Language } from '../../../../contract/languages.ts';
import type { SelectItem } from '../../../shared/parts/fields.ts';
import { canCall } from '../../admin.ts';
import type { ConsoleRuns } from '../../console-runs.ts';
import { templatesMessages } from '../templates/templates-messages.ts';
import type { PlanChoices } from './plan-form.ts';

const NONE = { items: [], isCut: false };

/** Reads the groups, templates, sender domains and courses that a plan can refer to. */
export async function readChoices(runs: ConsoleRuns, caller: Caller, language: Language): Promise<PlanChoices> {
  const messages = templatesMessages[language];
  const groups = canCall(caller, 'listGroups') ? await runs.first('listGroups', caller) : NONE;
  const courses = canCall(caller, 'listCourses') ? await runs.first('listCourses', caller) : NONE;
  const templates = await runs.first('listSimulationTemplates', caller);
  const { senderDomains } = await runs.run('getSimulationSettings', caller, {});
  return {
    groups: groups.items.map(({ id, name }): SelectItem => [id, name]),
    templates: templates.items.map(({ id, name, difficulty, deliveryMethod }): SelectItem => {
      const method = messages.methods[deliveryMethod] ?? deliveryMethod;
      return [id, `${name} (${messages.difficultyOf(String(difficulty))}, ${method})`];
    }),
    courses: courses.items.flatMap(({ id, name, type }): SelectItem[] => (type === 'training' ? [[id, name]] : [])),
    senderDomains,
    isCut: groups.isCut || courses.isCut || templates.isCut,
  };
}

/** Maximum number of templates whose names a page reads. */
const MAX_NAMES = 20;

/** Reads the names of templates, by id. A deleted template has none. */
export async function readTemplateNames(
  runs: ConsoleRuns,
  caller: Caller,
  templateIds: readonly string[],
): Promise<Map<string, string>> {
  const names = new Map<string, string>();
  for (const simulationTemplateId of templateIds.slice(0, MAX_NAMES)) {
    try {
      const { name } = await runs.run('getSimulationTemplate', caller, { simulationTemplateId });
      names.set(simulationTemplateId, name);
    } catch {
      names.set(simulationTemplateId, simulationTemplateId);
    }
  }
  return names;
}
