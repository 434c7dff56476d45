import { openMailTransport, MAIL_TIMEOUTS } from '../../src/mail/sending/mail-transport.ts';
import { companies } from '../support/world.ts';
import { stopServices } from '../process/support.ts';
import { until } from '../support/until.ts';
import { forgetMail, invite, startMailing } from './transport-support.ts';
import { MailServer } from './smtp-support.ts';

const server = new MailServer();
beforeAll(() => server.start());
afterEach(async () => {
  stopServices();
  server.reset();
  await forgetMail();
  await testService.query('delete from risk_history');
});
afterAll(() => server.stop());

async function queueRiskJob(): Promise<void> {
  const payload = JSON.stringify({ companyId: companies.tenant, day: '2026-11-20' });
  await testService.query(`select graphile_worker.add_job('record_risk', $1::json)`, [payload]);
}

const recordedDays = () => testService.query('select from risk_history where company_id = $1', [companies.tenant]);

describe('a silent mail server', () => {
  test.each(['1', '5'])('does not block other jobs with WORKER_CONCURRENCY=%s', async (concurrency) => {
    await startMailing(server, { WORKER_CONCURRENCY: concurrency });
    server.hold();
    for (let n = 0; n < 5; n++) await invite();
    const mailSlots = concurrency === '5' ? 3 : 1;
    await until(() => server.received.length === mailSlots);
    await queueRiskJob();
    await until(async () => (await recordedDays()).length > 0, 10_000);
    expect(server.received).toHaveLength(mailSlots);
  });
});

describe('mail timeouts', () => {
  const mail = { from: 'a@sender.test', to: 'b@tenant.test', subject: 'Hello', text: 'Hello' };
  const post = (times: object) =>
    openMailTransport({ delivery: { smtpUrl: server.url } }, 1, { ...MAIL_TIMEOUTS, ...times });

  test.each(['from', 'to'] as const)(
    'a server that does not answer %s times out soon, because it accepted nothing',
    async (step) => {
      server.silentAt = step;
      const sending = post({ handOver: 300 }).send(mail);
      await expect(sending).rejects.toMatchObject({
        code: 'ETIMEDOUT',
        message: expect.stringContaining('0.3 seconds'),
      });
      server.silentAt = undefined;
      await post({ handOver: 5000 }).send(mail);
      expect(server.taken).toHaveLength(1);
    },
  );

  test('a server that has read the email gets longer to confirm it, so that it is not sent twice', async () => {
    server.slowMs = 2500;
    await post({ handOver: 2000 }).send(mail);
    expect(server.taken).toHaveLength(1);
  });

  test('a server that never confirms an email times out', async () => {
    server.hold();
    await expect(post({ answer: 300 }).send(mail)).rejects.toMatchObject({ code: 'ETIMEDOUT' });
  });
});
