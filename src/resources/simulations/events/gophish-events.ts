import type { Schemas } from '../../../contract/contract.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import type { ReportedEvent } from './gophish-rules.ts';
import { recordEvents } from './simulation-events.ts';
import { takeInSimulation } from './simulation-intake-repository.ts';

type Recorded = Schemas['RecordedEvents'];

/** Error that rolls back the creation of a simulation whose first event is rejected. */
class Refused extends Error {
  readonly outcome: Recorded;

  constructor(outcome: Recorded) {
    super('The event was rejected');
    this.outcome = outcome;
  }
}

/** Records an event. The first event of a campaign creates its simulation. */
export async function recordReportedEvent(tenant: TenantWriter, event: ReportedEvent): Promise<Recorded> {
  try {
    return await tenant.transaction((tx) => recordIn(tx, event));
  } catch (thrown) {
    if (thrown instanceof Refused) return thrown.outcome;
    throw thrown;
  }
}

async function recordIn(tenant: TenantWriter, { event, simulation }: ReportedEvent): Promise<Recorded> {
  const outcome = await recordEvents(tenant, [event], { areReported: true });
  if (outcome.failures[0]?.code !== 'simulation_not_found') return outcome;
  await takeInSimulation(tenant, simulation);
  const second = await recordEvents(tenant, [event], { areReported: true });
  if (!second.success) throw new Refused(second);
  return second;
}
