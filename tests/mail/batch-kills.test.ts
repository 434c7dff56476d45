import { stopServices } from '../process/support.ts';
import { DatabaseWire } from '../support/database-wire.ts';
import { until } from '../support/until.ts';
import { kill } from './crash-support.ts';
import { MailServer } from './smtp-support.ts';
import { enroll, forgetMail, insertLearners, startMailing, whenDone } from './transport-support.ts';

const server = new MailServer();
const wire = new DatabaseWire();
beforeAll(() => Promise.all([server.start(), wire.mend()]));
afterAll(async () => {
  stopServices();
  wire.cut();
  await server.stop();
  await forgetMail();
});

const LEARNERS = 10_000;
const INTERRUPTIONS = 20;
/** Emails that a killed worker can repeat: one in transit on each of three connections, and two hundred unrecorded. */
const MAX_REPEATED = 3 + 200;

test('killing workers and connections twenty times during 10,000 emails loses and changes none', async () => {
  const learnerIds = await insertLearners(LEARNERS);
  await enroll(learnerIds);
  let service = await startMailing(server, { DATABASE_URL: wire.url });
  let kills = 0;
  for (let n = 1; n <= INTERRUPTIONS; n++) {
    const before = server.received.length;
    await until(() => server.received.length > before + 200, 60_000);
    if (n % 2 === 0) {
      wire.cut();
      await wire.mend();
    } else {
      await kill(service);
      kills += 1;
      service = await startMailing(server, { DATABASE_URL: wire.url });
    }
  }
  expect(server.received.length).toBeLessThan(LEARNERS);
  await whenDone(240_000);
  const ids = Map.groupBy(server.received, ({ to }) => to[0]!);
  expect(ids.size).toBe(LEARNERS);
  const copies = [...ids.values()].map((mails) => new Set(mails.map(({ parsed }) => parsed.messageId)).size);
  expect(Math.max(...copies)).toBe(1);
  expect(server.received.length - LEARNERS).toBeLessThanOrEqual(kills * MAX_REPEATED);
  expect(await testService.query('select status, count(*)::integer from messages group by 1')).toEqual([
    { status: 'sent', count: LEARNERS },
  ]);
}, 600_000);
