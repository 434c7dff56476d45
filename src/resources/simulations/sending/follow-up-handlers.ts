import type { TenantWriter } from '../../../db/tenant.ts';
import { type Enrol, findFollowUpCourse, markAssigned } from './assign-follow-up-training.ts';

/** Creates the handler of the button that starts a simulation's training. */
export function createFollowUpHandlers(enrol: Enrol) {
  return {
    /** Enrols a recipient in a simulation's training at once. Repeated calls have no effect. */
    async beginFollowUpTraining(
      { simulationId, learnerId }: { simulationId: string; learnerId: string },
      tenant: TenantWriter,
    ): Promise<void> {
      const courseId = await findFollowUpCourse(tenant, simulationId);
      await tenant.transaction(async (tx) => {
        if (await markAssigned(tx, simulationId, learnerId)) await enrol(tx, { courseId, learnerIds: [learnerId] });
      });
    },
  };
}
