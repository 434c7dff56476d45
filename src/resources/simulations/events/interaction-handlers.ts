import type { TenantWriter } from '../../../db/tenant.ts';
import { InteractionRecorder } from './interaction-recorder.ts';
import type { Interaction } from './own-event-rules.ts';

/** What recipients of our messages do. */
export function createInteractionHandlers() {
  const recorder = new InteractionRecorder();
  return {
    /** Resolves when it is on record. */
    recordInteraction(interaction: Interaction, tenant: TenantWriter): Promise<void> {
      return recorder.record(tenant, interaction);
    },
  };
}
