import type { TenantWriter } from '../../../db/tenant.ts';
import { InteractionRecorder } from './interaction-recorder.ts';
import type { Interaction } from './own-event-rules.ts';

/** Creates the handler that records what recipients do with the service's messages. */
export function createInteractionHandlers() {
  const recorder = new InteractionRecorder();
  return {
    /** Resolves once the interaction is recorded. */
    recordInteraction(interaction: Interaction, tenant: TenantWriter): Promise<void> {
      return recorder.record(tenant, interaction);
    },
  };
}
