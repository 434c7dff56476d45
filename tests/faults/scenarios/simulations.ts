import { setTimeout as sleep } from 'node:timers/promises';
import type { Mailbox } from '../support/mailbox.ts';
import { type Interruption, judgeMails } from '../support/mails.ts';
import type { Service } from '../support/processes.ts';
import { p99, type Stage, within } from '../support/stage.ts';
import type { Company, World } from '../support/world.ts';

const SENDER = 'parcel-notice.example';
const PACE_PER_MINUTE = 3000;
/** Number of messages that the rate limit allows at once after a pause. */
const BURST = PACE_PER_MINUTE / 12 + 1;
/** Rate for which the window is planned: four fifths of the rate limit. */
const PLANNED_PER_SECOND = PACE_PER_MINUTE / 60 / 1.25;
const LATE_MS = 300_000;

/** Kills the process that sends simulations while it does, and counts the messages of each recipient. */
export async function simulations(stage: Stage): Promise<void> {
  const [recipients, kills] = [stage.count(10_000, 600), stage.count(20, 3)];
  const world = await stage.world();
  const company = await world.company(recipients);
  const mailbox = await stage.mailbox(20);
  const sender = await stage.service('sender', {
    ...{ DATABASE_URL: world.serviceUrl, ROLES: 'simulate', PUBLIC_URL: 'http://127.0.0.1', WORKER_CONCURRENCY: '10' },
    ...{ SIMULATION_SENDER_DOMAINS: SENDER, SIMULATION_SMTP_URL: mailbox.url },
    // An unreachable DNS server, so that domain proofs stay valid.
    ...{ SIMULATION_RATE_PER_MINUTE: String(PACE_PER_MINUTE), DNS_SERVERS: '127.0.0.1:9' },
  });
  const windowMs = (recipients / PLANNED_PER_SECOND) * 1000;
  const begunAt = Date.now();
  await plan(world, company, windowMs);
  const interruptions = await killNowAndThen(stage, sender, { kills, everyMs: windowMs / (kills + 1) });
  const left = 'select count(*) from simulation_recipients where sent_at is null and failed_at is null';
  const ended = await within(windowMs + LATE_MS, async () => (await world.number(left)) === 0);
  await sleep(1000);
  const { lost, repeated, doubled } = await judgeMails(world, [mailbox], interruptions);
  const messages = Map.groupBy(mailbox.taken, ({ to }) => to);
  const several = [...messages.values()].filter((mails) => new Set(mails.map(({ messageId }) => messageId)).size > 1);
  stage.report({
    what: `SIGKILL of the process that sends a simulation to ${recipients} people`,
    times: kills,
    lost: lost + recipients - messages.size,
    doubled: doubled + several.length,
    seen: `${repeated} mails again, under their Message-ID, whose process was killed before it was recorded`,
    target: 'each recipient gets one message; none lost, none doubled but the mails of what was killed',
    reached: ended && lost + doubled + several.length === 0 && messages.size === recipients,
  });
  await reportPace(stage, world, { mailbox, begunAt, windowMs });
}

/** Plans a simulation whose messages are spread evenly over a window that begins now. */
async function plan(world: World, { id, domain }: Company, windowMs: number): Promise<void> {
  const words = {
    ...{ senderName: 'Parcels', senderMailbox: 'notice', subject: 'A parcel for {{firstName}}', cues: [], lesson: '' },
    ...{ text: 'See {{link}}', html: '<p><a href="{{link}}">Your parcel</a></p>' },
  };
  const stored = {
    ...{ templateIds: [id], senderDomain: SENDER, recipients: { everyone: true }, seed: 'seed', timeZone: 'UTC' },
    workingHours: { days: [1, 2, 3, 4, 5, 6, 7], from: '00:00', to: '24:00' },
  };
  await world.query('update companies set domain = $2, domain_lock = true where id = $1', [id, domain]);
  await world.query(
    `insert into simulation_domains (company_id, id, domain, challenge, proved_at, checked_at)
     values ($1, $1, $2, 'challenge', now(), now())`,
    [id, domain],
  );
  await world.query(`insert into simulation_settings (company_id, header_secret) values ($1, 'secret')`, [id]);
  await world.query(
    `insert into simulation_templates (owner_id, id, name, delivery_method, difficulty, locales, content)
     values ($1, $1, 'Parcel', 'email', 1, '{en}', $2)`,
    [id, { en: words }],
  );
  await world.query(
    `insert into simulations (company_id, id, name, status, delivery_method, start_date, end_date, is_own, plan)
     values ($1, $1, 'Parcels', 'running', 'email', now(), now() + interval '1 day', true, $2)`,
    [id, stored],
  );
  await world.query(
    `insert into simulation_recipients (company_id, simulation_id, learner_id, scheduled_at, template_id, locale)
     select $1, $1, id, now() + $2 * interval '1 millisecond' * row_number() over () / count(*) over (), $1, 'en'
       from learners where company_id = $1`,
    [id, windowMs],
  );
}

async function killNowAndThen(
  stage: Stage,
  sender: Service,
  { kills, everyMs }: { kills: number; everyMs: number },
): Promise<Interruption[]> {
  const interruptions: Interruption[] = [];
  for (let kill = 0; kill < kills; kill++) {
    await sleep(everyMs * (0.5 + stage.random()));
    const from = Date.now();
    await sender.kill();
    await sender.start();
    interruptions.push({ from, to: Date.now() + 1000 });
  }
  return interruptions;
}

interface Sent {
  mailbox: Mailbox;
  begunAt: number;
  windowMs: number;
}

async function reportPace(stage: Stage, world: World, { mailbox, begunAt, windowMs }: Sent): Promise<void> {
  const times = mailbox.taken.map(({ at }) => at).toSorted((a, b) => a - b);
  // The messages in the fullest window of a minute.
  const inMinute = times.map((at, index) => times.findLastIndex((other) => other < at + 60_000) - index + 1);
  const tenths = Array<number>(10).fill(0);
  for (const at of times) tenths[Math.min(9, Math.max(0, Math.floor(((at - begunAt) / windowMs) * 10)))]! += 1;
  const delays = await world.query<{ ms: number }>(
    'select extract(epoch from sent_at - scheduled_at)::float * 1000 as ms from simulation_recipients',
  );
  const late = delays.map(({ ms }) => ms).toSorted((a, b) => a - b);
  const most = Math.max(...inMinute);
  const share = (count: number) => `${((count / times.length) * 100).toFixed(1)} %`;
  stage.report({
    what: `the same: its pace, and how its messages are spread over ${Math.round(windowMs / 1000)} s`,
    times: times.length,
    seen: `${most} in the fullest minute; ${share(Math.min(...tenths))} to ${share(Math.max(...tenths))} in a tenth of the time; late by ${(late[late.length >> 1]! / 1000).toFixed(1)} s in the median, ${(p99(late) / 1000).toFixed(1)} s p99`,
    target: `${PACE_PER_MINUTE} a minute at most, and ${Math.floor(BURST)} after a pause`,
    reached: most <= PACE_PER_MINUTE + BURST,
  });
}
