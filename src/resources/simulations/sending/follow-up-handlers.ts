import type { TenantWriter } from '../../../db/tenant.ts';
import { type Enrol, findFollowUpCourse, markAssigned } from './assign-follow-up-training.ts';

/** Creates the handler of the button that begins a simulation's training. */
export function createFollowUpHandlers(enrol: Enrol) {
  return {
    /** Enrols a recipient in the training of a simulation at once, and only once. */
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
