import type { Knex } from 'knex';
import { companies, type CompanyName, id, learnerId } from './world.ts';

const STATUSES = ['completed', 'scheduled', 'draft', 'cancelled', 'running'] as const;
const METHODS = ['email', 'qr_code', 'attachment', 'email', 'email'] as const;

/** What the record of each domain is to say. */
export const CHALLENGE = 'a'.repeat(32);

/** Five simulations of each company: completed, scheduled, draft, cancelled and running. */
export function simulationId(company: CompanyName, number: 1 | 2 | 3 | 4 | 5): string {
  return id('a', Object.keys(companies).indexOf(company) * 16 + number);
}

/** The domain of each company, which is neither proved nor locked. */
export function simulationDomainId(company: CompanyName): string {
  return id('e', 0x5000 + Object.keys(companies).indexOf(company));
}

/** The days that each company leaves out, which are over. */
export function simulationExclusionId(company: CompanyName): string {
  return id('e', 0x6000 + Object.keys(companies).indexOf(company));
}

/** A template of each company's own, which no simulation names. */
export function simulationTemplateId(company: CompanyName): string {
  return id('e', 0x7000 + Object.keys(companies).indexOf(company));
}

/** The message of a simulation to a learner. */
export function recipientId(company: CompanyName, simulation: 1 | 2 | 3 | 4 | 5, learner: 1 | 2 | 3 | 4 | 5): string {
  return id('b', Object.keys(companies).indexOf(company) * 256 + simulation * 16 + learner);
}

/** What templates say in English. */
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
 * Of the completed one learner 1 has reported the message after opening it, 2 was compromised, 3 did nothing and 5, who is
 * inactive, opened it a day later. Learners 1 and 2 wait for the scheduled one, 2 first. The draft has learner 3, the
 * cancelled one was scheduled for learner 1. Of the running one learner 1 has visited the page, and 2 waits.
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
