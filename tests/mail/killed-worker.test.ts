import { stopServices } from '../process/support.ts';
import { until } from '../support/until.ts';
import { holdLock, kill, releaseLocks, whenWaiting } from './crash-support.ts';
import { forgetMail, invite, messageTo, startMailing, whenDone } from './transport-support.ts';
import { type Mail, MailServer } from './smtp-support.ts';

const server = new MailServer();
beforeAll(() => server.start());
afterEach(async () => {
  stopServices();
  server.reset();
  await releaseLocks();
  await forgetMail();
});
afterAll(() => server.stop());

/**
 * Returns the content by which a mail system recognises a copy: all of the email except the random boundary between its
 * parts.
 */
const copy = ({ raw, to }: Mail) => [to, raw.replace(/--_NmP-[0-9a-f]+/g, '')];

test('a killed worker loses nothing, and another sends the same emails again', async () => {
  const worker = await startMailing(server);
  server.hold();
  const unrecorded = await invite();
  await until(() => server.received.length === 1);
  const release = await holdLock('select from messages where admin_id = $1 for update', [unrecorded.id]);
  server.release();
  await whenWaiting(1);
  server.hold();
  const unanswered = await invite();
  await until(() => server.received.length === 2);
  await kill(worker);
  server.release();
  for (const { id } of [unrecorded, unanswered]) expect((await messageTo(id)).status).toBe('queued');

  await startMailing(server);
  await until(() => server.received.length === 4, 17_000);
  await release();
  await whenDone();
  for (const { id, email } of [unrecorded, unanswered]) {
    expect(await messageTo(id)).toMatchObject({ status: 'sent', setup_token: null });
    const [first, second, ...more] = server.received.filter(({ to }) => to.includes(email));
    expect(more).toEqual([]);
    expect(first!.raw).toMatch(/^Message-ID: <[^>]+>\r\nDate: /m);
    expect(copy(second!)).toEqual(copy(first!));
  }
});
