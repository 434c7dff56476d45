import type { Schemas } from '../../../contract/contract.ts';
import { sql } from '../../../db/sql.ts';
import { mutation, query } from '../../../db/statement.ts';
import type { TenantWriter } from '../../../db/tenant.ts';
import { type ExistingLearners, lockLearnersByKeys, recordLearners } from '../../learners/shared/learner-keys.ts';
import { type AddressHolder, findOwner, isSending } from './address-rules.ts';
import type { IdentifiedEvent } from './simulation-event-rules.ts';

// Hours or weeks after sending a message, other systems identify its recipient by the e-mail address that they sent it
// to. By then, the recipient might have a different address, and somebody else might have the old one. The addresses of
// recipients are therefore stored with the simulation. An address in an event is looked up there first, and then among
// the learners.

type Input = Schemas['SimulationEventInput'];
type FindSimulationId = (key: Schemas['SimulationKey']) => string | undefined;

interface Address {
  simulationId: string;
  email: string;
}

const selectHolders = query<{ simulationIds: string[]; emails: string[] }, Address & AddressHolder>(
  'simulation_address_holders',
  (p) => sql`
    select a.simulation_id as "simulationId", a.email_key as email, a.learner_id as "learnerId", a.since
      from unnest(${p.simulationIds}::uuid[], ${p.emails}::text[]) as asked (simulation_id, email_key)
     cross join lateral (
       select * from simulation_recipient_addresses s
        where s.company_id = ${p.companyId} and s.simulation_id = asked.simulation_id
          and s.email_key = asked.email_key) as a`,
);

/** Recipients that events name. */
export interface Recipients {
  /** Returns the learner of an event. @param recorded the recorded event with the same id, which keeps its recipient */
  findLearnerId: (input: Input, recorded?: IdentifiedEvent) => string | undefined;
  /** Returns the current e-mail address of a learner, in lower case. */
  getEmailKey: ExistingLearners['getEmailKey'];
}

/** Finds the recipients of events and locks them against deletion. The caller has locked the simulations. */
export async function findRecipients(
  tenant: TenantWriter,
  inputs: readonly Input[],
  findSimulationId: FindSimulationId,
): Promise<Recipients> {
  const keys = inputs.map(({ learner }) => learner);
  const holders = await findHolders(tenant, inputs, findSimulationId);
  const holderIds = [...holders.values()].flatMap((group) => group.map(({ learnerId }) => learnerId));
  const learners = await lockLearnersByKeys(tenant, keys, holderIds);
  const isHolder = (key: string, learnerId: string) =>
    learners.ids.has(learnerId) && (holders.get(key) ?? []).some((one) => one.learnerId === learnerId);
  const owners = new Map<Input, string | undefined>();
  for (const input of sendingsFirst(inputs)) {
    const key = buildAddressKey(input, findSimulationId);
    const current = learners.findId(input.learner);
    if (key === undefined) {
      owners.set(input, current);
      continue;
    }
    const event = { type: input.type, occurredAt: new Date(input.occurredAt).toISOString() };
    const group = (holders.get(key) ?? []).filter(({ learnerId }) => learners.ids.has(learnerId));
    const owner = findOwner(event, group, current);
    owners.set(input, owner);
    if (owner !== undefined && !isHolder(key, owner)) {
      holders.set(key, [...group, { learnerId: owner, since: event.occurredAt }]);
    }
  }
  recordLearners(tenant, keys, new Set([...owners.values()].filter((id) => id !== undefined)));
  return {
    getEmailKey: learners.getEmailKey,
    findLearnerId: (input, recorded) => {
      const key = buildAddressKey(input, findSimulationId);
      if (recorded && key !== undefined && isHolder(key, recorded.learnerId)) return recorded.learnerId;
      return owners.get(input);
    },
  };
}

async function findHolders(
  tenant: TenantWriter,
  inputs: readonly Input[],
  findSimulationId: FindSimulationId,
): Promise<Map<string, AddressHolder[]>> {
  const addressesByKey = new Map<string, Address>();
  for (const input of inputs) {
    const [key, simulationId] = [buildAddressKey(input, findSimulationId), findSimulationId(input.simulation)];
    if (key !== undefined)
      addressesByKey.set(key, { simulationId: simulationId!, email: input.learner.email!.toLowerCase() });
  }
  if (addressesByKey.size === 0) return new Map();
  const addresses = [...addressesByKey.values()];
  const rows = await tenant.queryAll(selectHolders, {
    simulationIds: addresses.map(({ simulationId }) => simulationId),
    emails: addresses.map(({ email }) => email),
  });
  return Map.groupBy(rows, formatAddressKey);
}

/**
 * Moves events that state the addressee of a message to the front, ordered by time, because other events depend on
 * them.
 */
function sendingsFirst(inputs: readonly Input[]): Input[] {
  const sendings = inputs.filter(isSending).toSorted((a, b) => Date.parse(a.occurredAt) - Date.parse(b.occurredAt));
  return [...sendings, ...inputs.filter((input) => !isSending(input))];
}

/** Returns the key of the e-mail address that an event names; undefined if the event names none. */
function buildAddressKey({ simulation, learner }: Input, findSimulationId: FindSimulationId): string | undefined {
  const simulationId = findSimulationId(simulation);
  if (simulationId === undefined || learner.email === undefined) return undefined;
  return formatAddressKey({ simulationId, email: learner.email.toLowerCase() });
}

function formatAddressKey({ simulationId, email }: Address): string {
  return `${simulationId} ${email}`;
}

interface Columns {
  simulationIds: string[];
  emails: string[];
  learnerIds: string[];
  times: string[];
}

const insert = mutation<Columns>(
  'simulation_address_insert',
  (p) => sql`
    insert into simulation_recipient_addresses as a (company_id, simulation_id, email_key, learner_id, since)
    select ${p.companyId}, new.*
      from unnest(${p.simulationIds}::uuid[], ${p.emails}::text[], ${p.learnerIds}::uuid[], ${p.times}::timestamptz[]) as new
    on conflict (company_id, simulation_id, email_key, learner_id) do update
       set since = excluded.since where excluded.since < a.since`,
);

/** A recipient, an e-mail address of the recipient, and the time of a message to this address. */
export type MailedAddress = Address & AddressHolder;

/**
 * Stores the e-mail addresses of recipients, each with the time of the first message to it. The caller has locked the
 * simulations.
 */
export async function saveAddresses(tenant: TenantWriter, mailed: readonly MailedAddress[]): Promise<void> {
  const firsts = new Map<string, MailedAddress>();
  for (const address of mailed) {
    const key = `${formatAddressKey(address)} ${address.learnerId}`;
    const first = firsts.get(key);
    if (!first || address.since < first.since) firsts.set(key, address);
  }
  if (firsts.size === 0) return;
  const rows = [...firsts.values()];
  await tenant.mutate(insert, {
    simulationIds: rows.map(({ simulationId }) => simulationId),
    emails: rows.map(({ email }) => email),
    learnerIds: rows.map(({ learnerId }) => learnerId),
    times: rows.map(({ since }) => since),
  });
}
