import { setTimeout as sleep } from 'node:timers/promises';
import { isWorkingTime } from '../../../src/mail/messages/working-hours.ts';
import { Skipped } from '../finding.ts';
import { Client, succeeded } from '../support/client.ts';
import type { Mailbox } from '../support/mailbox.ts';
import { type Interruption, judgeMails, type MailVerdict, whenQueueEmpty } from '../support/mails.ts';
import type { Service } from '../support/processes.ts';
import { type Stage, within } from '../support/stage.ts';
import type { Company, World } from '../support/world.ts';

/** Delay of each response of the mail server; keeps emails under way during most of the kills. */
const MAIL_MS = 300;
/** Delay before a kill, so that each kill hits a different step of the evaluation. */
const MAX_DELAY_MS = 2000;
const API_TIMEOUT_MS = 60_000;
const ASSIGNED_MS = 120_000;
const DELIVERED_MS = 120_000;
/** Time for which working hours must last, longer than the scenario. */
const OPEN_MS = 900_000;
const ZONES = Array.from({ length: 27 }, (_, index) => `Etc/GMT${index < 12 ? '+' : '-'}${Math.abs(12 - index)}`);

type Victim = 'worker' | 'backend' | 'postgres';

/**
 * Kills the worker and the database while campaigns are assigned and mailed, one kill for each campaign. A worker that is
 * killed between the response of the mail server and the record sends the message again, with the same Message-ID.
 */
export async function campaigns(stage: Stage): Promise<void> {
  const learners = stage.count(400, 60);
  const timeZone = findWorkingZone();
  const world = await stage.world();
  const company = await world.company(learners);
  await world.query('update learners set time_zone = $1', [timeZone]);
  const mailbox = await stage.mailbox(MAIL_MS);
  const env = { DATABASE_URL: world.serviceUrl };
  const api = await stage.service('api', { ROLES: 'api', ...env });
  const worker = await stage.worker('worker', mailbox.url, env);
  const client = new Client(api.url, company.key);
  const interruptions: Interruption[] = [];
  const victims = planKills(stage);
  for (const [number, victim] of victims.entries()) {
    await createCampaign(client, world.courseIds[number]!);
    await sleep(stage.random() * MAX_DELAY_MS);
    const from = Date.now();
    await kill(stage, worker, victim);
    interruptions.push({ from, to: Date.now() + 1000 });
  }
  const seen = await judge(world, { company, mailbox, interruptions, wanted: victims.length, learners });
  stage.report({
    what: `SIGKILL of the worker, of a process of Postgres and of its main process, while ${victims.length} campaigns are assigned to ${learners} learners and mailed`,
    times: victims.length,
    lost: seen.lost + seen.missing,
    doubled: seen.doubled + seen.several,
    seen: `${seen.assignments} assignments; ${seen.sent} mails; ${seen.repeated} of them again, under their Message-ID, whose worker or database was killed before it was recorded`,
    target: 'each learner has each assignment and enrolment once, and one message',
    reached: seen.isOver && seen.lost + seen.missing + seen.doubled + seen.several === 0,
  });
}

/** Returns a time zone in which messages of campaigns are sent now. @throws {Skipped} at most times of a weekend */
function findWorkingZone(): string {
  const [now, end] = [new Date(), new Date(Date.now() + OPEN_MS)];
  const zone = ZONES.find((name) => isWorkingTime(now, name) && isWorkingTime(end, name));
  if (zone === undefined) throw new Skipped('campaigns: it is weekend everywhere, so that no messages are sent');
  return zone;
}

function planKills(stage: Stage): Victim[] {
  const times = (victim: Victim, whole: number, quick: number) => Array<Victim>(stage.count(whole, quick)).fill(victim);
  return [...times('worker', 12, 2), ...times('backend', 5, 1), ...times('postgres', 3, 1)]
    .map((victim) => ({ victim, at: stage.random() }))
    .toSorted((a, b) => a.at - b.at)
    .map(({ victim }) => victim);
}

/** Creates a campaign for everyone. Repeats the call until the database has recovered from the last kill. */
async function createCampaign(client: Client, courseId: string): Promise<void> {
  const body = {
    ...{ externalId: courseId, name: 'Basics', items: [{ type: 'course', id: courseId }], status: 'active' },
    ...{ audience: { everyone: true }, due: { days: 14 } },
  };
  const isCreated = await within(API_TIMEOUT_MS, async () => succeeded(await client.call('PUT', '/campaigns', body)));
  if (!isCreated) throw new Error('a campaign could not be created');
}

/** Kills a process, and waits until it is back. The worker must recover from a kill of the database by itself. */
async function kill(stage: Stage, worker: Service, victim: Victim): Promise<void> {
  if (victim === 'worker') {
    await worker.kill();
    await worker.start();
  } else if (victim === 'backend') await within(API_TIMEOUT_MS, () => stage.postgres.killBackend().catch(() => false));
  else {
    const { pid } = stage.postgres;
    stage.postgres.signal('SIGKILL');
    await stage.postgres.whenAnswering(pid);
  }
}

interface Played {
  company: Company;
  mailbox: Mailbox;
  interruptions: Interruption[];
  /** The number of campaigns. */
  wanted: number;
  learners: number;
}

interface Verdict extends MailVerdict {
  isOver: boolean;
  assignments: number;
  /** Number of missing assignments, enrolments and recipients. */
  missing: number;
  /** Number of assignments beyond one for each pair, and of learners who got several messages. */
  several: number;
}

async function judge(world: World, played: Played): Promise<Verdict> {
  const { company, mailbox, interruptions, wanted, learners } = played;
  const count = (text: string) => world.number(`${text} where company_id = $1`, [company.id]);
  const isAssigned = await within(ASSIGNED_MS, async () => {
    const left = await world
      .number('select count(*) from campaigns where assigned_at is null or evaluate_at < now()')
      .catch(() => Infinity);
    return left === 0;
  });
  const isEmpty = await whenQueueEmpty(world, DELIVERED_MS);
  const assignments = await count('select count(*) from campaign_assignments');
  const pairs = await count('select count(distinct (campaign_id, learner_id)) from campaign_assignments');
  const enrolled = await count('select count(*) from enrollments');
  const mails = Map.groupBy(mailbox.taken, ({ to }) => to);
  const several = [...mails.values()].filter((some) => new Set(some.map(({ messageId }) => messageId)).size > 1);
  return {
    ...(await judgeMails(world, [mailbox], interruptions)),
    ...{ isOver: isAssigned && isEmpty, assignments, several: assignments - pairs + several.length },
    missing: 2 * wanted * learners - pairs - enrolled + (learners - mails.size),
  };
}
