import type { Knex } from 'knex';
import { companies, type CompanyName, id, learnerId } from './world.ts';

const STATUSES = ['completed', 'scheduled', 'draft', 'cancelled', 'running'] as const;
const METHODS = ['email', 'qr_code', 'attachment', 'email', 'email'] as const;

/** The challenge that the DNS record of each domain must contain. */
export const CHALLENGE = 'a'.repeat(32);

/** Returns the id of a simulation. Each company has five: completed, scheduled, draft, cancelled and running. */
export function simulationId(company: CompanyName, number: 1 | 2 | 3 | 4 | 5): string {
  return id('a', Object.keys(companies).indexOf(company) * 16 + number);
}

/** Returns the id of a company's domain, which is neither proved nor locked. */
export function simulationDomainId(company: CompanyName): string {
  return id('e', 0x5000 + Object.keys(companies).indexOf(company));
}

/** Returns the id of a company's exclusion, whose days are in the past. */
export function simulationExclusionId(company: CompanyName): string {
  return id('e', 0x6000 + Object.keys(companies).indexOf(company));
}

/** Returns the id of a company's own simulation template, which no simulation uses. */
export function simulationTemplateId(company: CompanyName): string {
  return id('e', 0x7000 + Object.keys(companies).indexOf(company));
}

/** Returns the id of a simulation's recipient. */
export function recipientId(company: CompanyName, simulation: 1 | 2 | 3 | 4 | 5, learner: 1 | 2 | 3 | 4 | 5): string {
  return id('b', Object.keys(companies).indexOf(company) * 256 + simulation * 16 + learner);
}

/** The English texts of the templates. */
export const TEMPLATE_WORDS = {
  senderName: 'Parcel desk',
  senderMailbox: 'parcels',
  subject: 'A parcel for {{firstName}}',
  text: 'Hello {{firstName}} {{lastName}}: {{link}}',
  html: '<p>Hello {{firstName}}, <a href="{{link}}">a parcel for {{companyName}}</a></p>',
  cues: ['The desk is not called so.'],
  lesson: 'Ask first.',
};

interface Recipient {
  scheduled?: string;
  sent?: string;
  opened?: string;
  visited?: string;
  compromised?: string;
  reported?: string;
}

/**
 * The recipients, by simulation and learner:
 * - completed: learner 1 reported the message after opening it, 2 was compromised, 3 did nothing, and 5, who is
 *   inactive, opened it a day later
 * - scheduled: learner 2 is due first, then learner 1
 * - draft: learner 3
 * - cancelled: learner 1 was scheduled
 * - running: learner 1 has visited the page, and 2 is not due until 2030
 */
const RECIPIENTS: Record<number, Record<number, Recipient>> = {
  1: {
    1: { sent: '2026-02-10T08:00', opened: '2026-02-10T08:01', reported: '2026-02-10T08:02' },
    2: {
      sent: '2026-02-10T08:00',
      opened: '2026-02-10T09:00',
      visited: '2026-02-10T09:01',
      compromised: '2026-02-11T09:02',
    },
    3: { sent: '2026-02-10T08:00' },
    5: { sent: '2026-02-10T08:00', opened: '2026-02-11T10:00' },
  },
  2: { 1: { scheduled: '2030-03-02T09:30' }, 2: { scheduled: '2030-03-02T08:30' } },
  3: { 3: {} },
  4: { 1: { scheduled: '2026-01-12T08:00' } },
  5: {
    1: { sent: '2026-03-02T08:00', opened: '2026-03-02T08:05', visited: '2026-03-02T08:05' },
    2: { scheduled: '2030-03-05T08:00' },
  },
};

export async function createSimulations(knex: Knex, company: CompanyName): Promise<void> {
  const company_id = companies[company];
  await knex('simulations').insert(
    STATUSES.map((status, index) => ({
      company_id,
      id: simulationId(company, (index + 1) as 1),
      name: `Simulation ${index + 1} of ${company}`,
      status,
      delivery_method: METHODS[index],
      start_date: status === 'draft' ? null : `2026-0${index + 1}-10T07:00:00Z`,
      end_date: status === 'completed' ? '2026-02-20T17:00:00Z' : null,
      created_at: '2026-01-05T09:00:00Z',
    })),
  );
  await knex('simulation_domains').insert({
    ...{ company_id, id: simulationDomainId(company) },
    ...{ domain: `${company.toLowerCase()}.test`, challenge: CHALLENGE },
  });
  await knex('simulation_exclusions').insert({
    ...{ company_id, id: simulationExclusionId(company) },
    ...{ from_date: '2025-12-24', to_date: '2026-01-01', note: 'Closed' },
  });
  await knex('simulation_templates').insert({
    ...{ owner_id: company_id, id: simulationTemplateId(company), name: `Template of ${company}` },
    ...{ delivery_method: 'email', difficulty: 2, locales: ['en'], content: { en: TEMPLATE_WORDS } },
  });
  for (const [simulation, recipients] of Object.entries(RECIPIENTS)) {
    await knex('simulation_recipients').insert(
      Object.entries(recipients).map(([learner, times]) => {
        const ids = [company, Number(simulation) as 1, Number(learner) as 1] as const;
        return {
          company_id,
          simulation_id: simulationId(company, ids[1]),
          learner_id: learnerId(company, ids[2]),
          id: recipientId(...ids),
          scheduled_at: at(times.scheduled ?? times.sent),
          sent_at: at(times.sent),
          opened_at: at(times.opened),
          visited_at: at(times.visited),
          compromised_at: at(times.compromised),
          reported_at: at(times.reported),
        };
      }),
    );
  }
}

function at(time: string | undefined): string | null {
  return time === undefined ? null : `${time}:00Z`;
}
