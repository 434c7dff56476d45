import type { SimulationsConfig } from '../../../config/simulation-settings.ts';
import type { Handler } from '../../../contract/contract.ts';
import { ApiError, invalidField } from '../../../contract/errors.ts';
import { findPlanned, getAdminEmail } from '../own-simulation-repository.ts';
import { requireDraft, requireSwitchedOn } from '../own-simulation-rules.ts';
import { previewCalendar, readCalendar } from './simulation-calendar.ts';
import { insertTestMessage } from './test-message-repository.ts';

/** Creates the handlers for the plan of a draft: its calendar, and a test message before it is scheduled. */
export function createPlanHandlers({ simulations }: { simulations: SimulationsConfig | undefined }) {
  const getSimulationCalendar: Handler<'getSimulationCalendar'> = async ({ simulationId }, tenant) => {
    const simulation = await findPlanned(tenant, simulationId);
    if (simulation.status === 'draft') return previewCalendar(tenant, simulation, simulations);
    return readCalendar(tenant, simulationId, simulation.plan.timeZone);
  };

  const sendSimulationTestMessage: Handler<'sendSimulationTestMessage'> = async (
    { simulationId, body },
    tenant,
    { actor },
  ) => {
    const simulation = await findPlanned(tenant, simulationId);
    requireSwitchedOn(simulations);
    if (actor?.type !== 'admin')
      throw new ApiError('admin_required', 'Only an admin who is signed in to the console can request a test message.');
    requireDraft(simulation);
    const { templateIds } = simulation.plan;
    const templateId = body.templateId?.toLowerCase() ?? templateIds[0]!;
    if (!templateIds.includes(templateId))
      throw invalidField('body/templateId', 'must be a template of the simulation');
    return tenant.transaction(async (tx) => {
      await insertTestMessage(tx, { adminId: actor.id, simulationId, templateId });
      return { email: await getAdminEmail(tx, actor.id), templateId };
    });
  };

  return { getSimulationCalendar, sendSimulationTestMessage };
}
