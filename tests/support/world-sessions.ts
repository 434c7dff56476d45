import { hash } from 'node:crypto';
import type { Knex } from 'knex';
import { adminId, companies, type CompanyName, id, learnerId } from './world.ts';

/**
 * Returns the id that the second admin's session and the first learner's session share, so that the paths of both kinds
 * of people find a session. No browser holds these sessions.
 */
export function sessionId(company: CompanyName): string {
  return id('3', 0x3000 + Object.keys(companies).indexOf(company));
}

export async function createSessions(knex: Knex, company: CompanyName): Promise<void> {
  const session = {
    company_id: companies[company],
    id: sessionId(company),
    expires_at: '2099-12-31Z',
    last_used_at: '2099-12-30Z',
  };
  await knex('person_sessions').insert([
    {
      ...session,
      token_hash: hash('sha256', `admin of ${company}`, 'buffer'),
      admin_id: adminId(company, 2),
      method: 'passkey',
    },
    {
      ...session,
      token_hash: hash('sha256', `learner of ${company}`, 'buffer'),
      learner_id: learnerId(company, 1),
      method: 'sign_in_link',
    },
  ]);
}
