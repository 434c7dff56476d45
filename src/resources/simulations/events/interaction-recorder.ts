import { setImmediate, setTimeout as sleep } from 'node:timers/promises';
import type { Schemas } from '../../../contract/contract.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { interactionEvent, type Interaction } from './own-event-rules.ts';
import { recordEvents } from './simulation-events.ts';

const GATHER_MS = 100;
const MAX_EVENTS = 500;
/**
 * Maximum number of interactions of a recipient within `WHILE_MS`. Keeps a flood far below the recipient's event limit.
 */
const MAX_OF_RECIPIENT = 100;
const WHILE_MS = 10 * 60_000;
/** Number of calls to resolve before other work can run. */
const ANSWERS_AT_ONCE = 8;

interface Batch {
  events: Map<string, Schemas['SimulationEventInput']>;
  recorded: Promise<void>;
}

/**
 * Records what recipients do with the service's messages. Gathers the events of a simulation for 100 ms and records
 * them in one transaction. The transactions of a simulation run one after another, because each of them locks the
 * simulation.
 */
export class InteractionRecorder {
  /**
   * Batches that are still gathering events, by simulation id. `#last` has the completion of each simulation's last
   * batch.
   */
  readonly #open = new Map<string, Batch>();
  readonly #last = new Map<string, Promise<void>>();
  #counts = new Map<string, number>();
  #countedSince = 0;
  #turn: Promise<void> = Promise.resolve();
  #answers = 0;

  /** Resolves once the event is recorded. */
  async record(tenant: TenantWriter, interaction: Interaction): Promise<void> {
    const event = interactionEvent(interaction, new Date());
    const batch = this.#getBatch(tenant, interaction.simulationId);
    if (!batch.events.has(event.eventId) && this.#mayHaveMore(interaction)) batch.events.set(event.eventId, event);
    await batch.recorded;
    await this.#nextTurn();
  }

  /** Spreads out the responses of a batch, which would otherwise delay all other requests. */
  #nextTurn(): Promise<void> {
    this.#answers += 1;
    if (this.#answers % ANSWERS_AT_ONCE === 0) this.#turn = this.#turn.then(() => setImmediate());
    return this.#turn;
  }

  #getBatch(tenant: TenantWriter, simulationId: string): Batch {
    const open = this.#open.get(simulationId);
    if (open && open.events.size < MAX_EVENTS) return open;
    const events: Batch['events'] = new Map();
    const before = this.#last.get(simulationId)?.catch(() => undefined);
    const recorded = Promise.all([sleep(GATHER_MS), before]).then(async () => {
      if (this.#open.get(simulationId) === batch) this.#open.delete(simulationId);
      if (events.size > 0) await tenant.transaction((tx) => recordEvents(tx, [...events.values()]));
    });
    const batch = { events, recorded };
    this.#open.set(simulationId, batch);
    this.#last.set(simulationId, recorded);
    const forget = () => {
      if (this.#last.get(simulationId) === recorded) this.#last.delete(simulationId);
    };
    recorded.then(forget, forget);
    return batch;
  }

  #mayHaveMore({ recipientId }: Interaction): boolean {
    if (Date.now() - this.#countedSince > WHILE_MS) {
      this.#counts = new Map();
      this.#countedSince = Date.now();
    }
    const count = (this.#counts.get(recipientId) ?? 0) + 1;
    this.#counts.set(recipientId, count);
    return count <= MAX_OF_RECIPIENT;
  }
}
