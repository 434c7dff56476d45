import { TenantAccess } from '../../../../src/auth/tenant-access.ts';
import { preparing } from '../../../../src/mail/sending/prepare-message.ts';
import { prepareMessage } from '../../../support/queued-messages.ts';
import { evaluateCampaigns } from '../../../../src/resources/campaigns/evaluate-campaigns.ts';
import { notifyManagers } from '../../../../src/resources/campaigns/messages/notify-managers.ts';
import { sendDueMessages } from '../../../../src/resources/campaigns/messages/send-due-messages.ts';
import { openServicePool } from '../../../support/service-pool.ts';
import { companies } from '../../../support/world.ts';

const SETTINGS = {
  ...{ from: { name: 'Awareness', address: 'awareness@sender.test' }, contact: 'help@sender.test' },
  ...{ trainingUrl: undefined, publicUrl: 'https://awareness.test' },
};
/** Share of the messages whose text is composed; composing all takes most of the time. */
const COMPOSED = 0.1;

const pool = openServicePool(2);
afterAll(() => pool.end());
const tenant = () => new TenantAccess(pool).ofJob(companies.tenant);

/** Runs the worker's jobs for the company at a time, if any are due. */
export async function workOnce(at: Date): Promise<void> {
  const due = await testService.query('select company_id from due_campaigns(100)');
  if (!due.some(({ company_id: id }) => id === companies.tenant)) return;
  const { signal } = new AbortController();
  await evaluateCampaigns(tenant(), {
    signal,
    at,
    simulations: undefined,
    findTexts: () => Promise.resolve(undefined),
  });
  await sendDueMessages(tenant(), signal, at);
  await notifyManagers(tenant(), signal, at);
}

/** Sends the queued messages, and returns the recipient and the assignments of each. */
export async function takeMails(at: Date, random: () => number): Promise<string[]> {
  const rows = await testService.query(`
    select m.id, m.kind, l.email, (
             select array_agg(concat_ws(' ', a.campaign_id, a.item_id, a.round, a.learner_id))
               from campaign_assignments a where a.id = any(m.subject_ids)) as about
      from messages m join learners l on l.id = m.learner_id
     where m.status = 'queued' and m.kind like 'assignments%'`);
  for (const { id, email } of rows) {
    if (random() > COMPOSED) continue;
    const prepared = await prepareMessage(
      tenant(),
      preparing(SETTINGS, () => at),
      id as string,
    );
    expect(prepared).toMatchObject({ mail: { to: { address: email } } });
  }
  await testService.query(`
    update messages set status = 'sent', settled_at = now() where status = 'queued';
    delete from graphile_worker._private_jobs`);
  return rows
    .map(({ kind, email, about }) => `${String(kind)} ${String(email)}: ${(about as string[]).toSorted().join(', ')}`)
    .toSorted();
}
