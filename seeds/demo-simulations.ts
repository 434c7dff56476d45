import type { Schemas } from '../src/contract/contract.ts';
import { DEMO_COMPANIES, type DemoCompany } from './demo-companies.ts';
import { DAY_MS, toDay } from './demo-days.ts';
import { fixedId, numberIn } from './demo-ids.ts';
import { buildEvents, getLastScan, type Message } from './demo-events.ts';
import { createRandom, type Random } from './demo-people.ts';
import type { Character, Trainee } from './demo-training.ts';

interface DemoSimulation {
  name: string;
  status: 'draft' | 'scheduled' | 'running' | 'completed' | 'cancelled';
  method: 'email' | 'qr_code' | 'attachment';
  /** The first day of sending. */
  start: string;
  /** The number of days over which messages are sent. */
  days: number;
  /** Difficulty of recognising the phishing email, from 0 to 1. */
  difficulty: number;
  groups?: string[];
  /** Time at which a mail gateway opened the links of old messages again. */
  rescannedAt?: string;
}

/** Number of days from the creation of a simulation to its start. */
const LEAD_DAYS = 7;
/** Number of days from the start of a simulation to its end. */
const OPEN_DAYS = 14;
/** The present in the demo's data; later events have not happened yet. */
const NOW = Date.parse('2026-11-18T16:00:00Z');
const LATEST_CREATION = Date.parse('2026-11-12');
const HOUR_MS = 3_600_000;
const MINUTE_MS = 60_000;

function quarterly(names: string[]): DemoSimulation[] {
  const starts = ['2025-02-17', '2025-06-03', '2025-09-16', '2026-01-20', '2026-04-14', '2026-08-25'];
  const methods = ['email', 'email', 'qr_code', 'email', 'attachment', 'email'] as const;
  return names.map((name, index) => ({
    name,
    status: 'completed',
    method: methods[index]!,
    start: starts[index]!,
    days: 3,
    difficulty: [0.3, 0.5, 0.4, 0.7, 0.5, 0.6][index]!,
  }));
}

/** Simulations by company. A company without the module has none. */
const DEMO_SIMULATIONS: Record<string, DemoSimulation[]> = {
  tenant: [
    ...quarterly([
      'Parcel notice',
      'Payroll portal moved',
      'Car park sticker',
      'Shared document from the board',
      'Invoice overdue',
      'Password expires today',
    ]),
    {
      name: 'Supplier bank details',
      status: 'completed',
      method: 'email',
      start: '2026-10-06',
      days: 2,
      difficulty: 0.8,
      groups: ['Finance', 'Procurement'],
      rescannedAt: '2026-10-11T02:14:07.000Z',
    },
    { name: 'Black Friday voucher', status: 'running', method: 'email', start: '2026-11-16', days: 5, difficulty: 0.5 },
    {
      name: 'Christmas party list',
      status: 'scheduled',
      method: 'qr_code',
      start: '2026-12-07',
      days: 3,
      difficulty: 0.6,
    },
    { name: 'Tax refund', status: 'draft', method: 'attachment', start: '2027-02-01', days: 3, difficulty: 0.5 },
    { name: 'Canteen survey', status: 'cancelled', method: 'email', start: '2026-05-19', days: 2, difficulty: 0.3 },
  ],
  otherTenant: quarterly(['Delivery fee', 'Rota changed', 'Loyalty card', 'Bonus letter']),
  dental: quarterly(['Appointment system', 'Parcel notice', 'Fridge alarm code']),
  atelier: quarterly(['Colis en attente', 'Note de frais refusée']),
  msp: quarterly([
    'Ticket assigned to you',
    'VPN certificate',
    'Visitor badge',
    'Licence renewal',
    'Remote session log',
  ]),
  distributor: quarterly(['Partner portal', 'Rebate statement']),
};

/** A simulation of another system, and the events that the system reports, call by call. */
export interface CreatedSimulation {
  simulation: Schemas['CreateSimulationInput'];
  /** The demo's id and creation time, which replace the values that the service generated. */
  fixed: { id: string; created_at: Date };
  events: Schemas['SimulationEventInput'][][];
  /** The recipients of a draft. */
  draftedIds: string[];
  /** Time at which a visit was recognised as a scanner's visit. */
  withdrawnAt: Date | undefined;
}

/** Creates two years of phishing simulations, with outcomes that follow from the character of each learner. */
export function buildSimulations(
  company: DemoCompany,
  { characters, membersOf }: { characters: ReadonlyMap<Trainee, Character>; membersOf: ReadonlyMap<string, Trainee[]> },
): CreatedSimulation[] {
  const random = createRandom(3001 + DEMO_COMPANIES.indexOf(company));
  return (DEMO_SIMULATIONS[company.handle] ?? []).map((simulation, index) => {
    const isMeant = (trainee: Trainee) =>
      simulation.groups?.some((name) => membersOf.get(name)!.includes(trainee)) ?? true;
    const messages: Message[] = [];
    for (const [trainee, character] of characters) {
      const wasThere = character.lastDay >= toDay(simulation.start) || !trainee.row.inactive;
      if (!isMeant(trainee) || !wasThere || toDay(trainee.row.created_at) >= toDay(simulation.start)) continue;
      messages.push({ learnerId: trainee.row.id, ...simulateMessage(random, simulation, character) });
    }
    const id = fixedId(getCreationDay(simulation), 'simulation', numberIn(company, index));
    return {
      simulation: toCreateInput(simulation, index),
      fixed: { id, created_at: new Date(getCreationDay(simulation)) },
      withdrawnAt: getLastScan(simulation.rescannedAt),
      events: buildEvents(`campaign-${index + 1}`, messages, simulation.rescannedAt),
      draftedIds: simulation.status === 'draft' ? messages.map(({ learnerId }) => learnerId) : [],
    };
  });
}

function getCreationDay({ start }: DemoSimulation): number {
  return Math.min(Date.parse(start) - LEAD_DAYS * DAY_MS, LATEST_CREATION) + 9 * HOUR_MS;
}

function toCreateInput(
  { name, status, method, start }: DemoSimulation,
  index: number,
): Schemas['CreateSimulationInput'] {
  const startMs = Date.parse(start);
  const dates = {
    startDate: new Date(startMs + 7 * HOUR_MS).toISOString(),
    endDate: new Date(startMs + OPEN_DAYS * DAY_MS + 17 * HOUR_MS).toISOString(),
  };
  return {
    externalId: `campaign-${index + 1}`,
    name,
    status,
    deliveryMethod: method,
    ...(status !== 'draft' && dates),
  };
}

/** Draws the time at which the message is sent, in working hours, and its events. */
function simulateMessage(random: Random, simulation: DemoSimulation, character: Character): Omit<Message, 'learnerId'> {
  const { start, status, days } = simulation;
  const scheduled = Math.floor(Date.parse(start) + Math.floor(random() * days) * DAY_MS + (7 + 9 * random()) * HOUR_MS);
  const fate = drawFate(random, simulation, character, scheduled);
  if (status === 'draft') return {};
  const isSent = scheduled < NOW && (status === 'completed' || status === 'running');
  if (!isSent) return { scheduled };
  const happened = Object.entries({ sent: scheduled, ...fate }).filter(([, time]) => time < NOW);
  return { scheduled, ...Object.fromEntries(happened) };
}

interface Fate {
  opened?: number;
  visited?: number;
  compromised?: number;
  reported?: number;
}

/**
 * Draws the events of a message. Skill lowers the risk, promptness makes reports likelier, and both improve each year.
 */
function drawFate(random: Random, { difficulty }: DemoSimulation, { skill, laxness }: Character, sent: number): Fate {
  const routine = (0.06 * (sent - Date.parse('2025-01-01'))) / (365 * DAY_MS);
  const falls = Math.max(0.02, 0.1 + 0.35 * difficulty - 1.2 * skill - routine);
  const reports = Math.max(0.03, 0.35 - 0.3 * laxness + skill + routine);
  const [opens, roll, gives, tells] = [random(), random(), random(), random()];
  const opened = sent + Math.floor((2 + 600 * random() * random()) * MINUTE_MS);
  const visited = opened + Math.floor((5 + 110 * random()) * 1000);
  const reported = opened + Math.floor((1 + 45 * random()) * MINUTE_MS);
  if (opens > 0.82) return {};
  if (roll >= falls) return tells < reports ? { opened, reported } : { opened };
  const compromised = visited + Math.floor((8 + 60 * random()) * 1000);
  return {
    opened,
    visited,
    ...(gives < 0.35 && { compromised }),
    ...(tells < reports / 2 && { reported: reported + 2 * MINUTE_MS }),
  };
}
