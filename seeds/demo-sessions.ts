import { hash } from 'node:crypto';
import type { Knex } from 'knex';
import { companyId, findCompany, fixedId } from './demo-ids.ts';

const LEARNER = '018d856a-47c6-7000-8300-000000000002';

/**
 * Inserts a session of the first admin and one of a learner, which users of the demo can end. No browser uses these
 * sessions.
 */
export async function insertSessions(transaction: Knex.Transaction): Promise<void> {
  const company = findCompany('tenant');
  const createdMs = Date.parse(company.createdAt);
  const session = (number: number) => ({
    company_id: companyId(company),
    token_hash: hash('sha256', `the demo session ${number}`, 'buffer'),
    id: fixedId(createdMs, 'connection', number),
    created_at: company.createdAt,
    last_used_at: company.createdAt,
    proved_at: company.createdAt,
    expires_at: '2099-12-31T00:00:00Z',
    address: '203.0.113.7',
    user_agent: 'Mozilla/5.0',
  });
  await transaction('person_sessions').insert([
    { ...session(3), admin_id: fixedId(createdMs, 'admin', 0), method: 'passkey' },
    { ...session(4), learner_id: LEARNER, method: 'sign_in_link' },
  ]);
}
