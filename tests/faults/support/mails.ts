import type { Mail, Mailbox } from './mailbox.ts';
import { within } from './stage.ts';
import type { World } from './world.ts';

/** A period in which an email might have been sent without being recorded, by Date.now(). */
export interface Interruption {
  from: number;
  to: number;
}

const SEND_MS = 1000;

export interface MailVerdict {
  sent: number;
  /** Number of messages recorded as sent that never arrived, or that will never be sent. */
  lost: number;
  /** Number of messages that still wait. */
  waiting: number;
  /** Number of emails that arrived again because a lost worker or database kept the first from being recorded. */
  repeated: number;
  /** Number of emails that arrived again for another reason. */
  doubled: number;
}

/** Makes all jobs due and waits until none is left; resolves to false if some are left after that time. */
export function whenQueueEmpty(world: World, ms: number): Promise<boolean> {
  return within(ms, async () => {
    await world.query(
      'update graphile_worker._private_jobs set run_at = now() where locked_at is null and run_at > now()',
    );
    return (await world.number('select count(*) from graphile_worker._private_jobs')) === 0;
  });
}

const MESSAGES = `
  select id, status = 'queued' and exists (
           select from graphile_worker._private_jobs j where j.payload ->> 'messageId' = m.id::text) as waits
    from messages m where status in ('sent', 'queued')`;

/** Compares received emails with the messages in the database. Call it only when no more emails can arrive. */
export async function judgeMails(
  world: World,
  mailboxes: Mailbox[],
  interruptions: Interruption[],
): Promise<MailVerdict> {
  const mails = Map.groupBy(
    mailboxes.flatMap(({ taken }) => taken),
    ({ messageId }) => messageId,
  );
  const messages = await world.query<{ id: string; waits: boolean }>(MESSAGES);
  const verdict = { sent: mails.size, lost: 0, waiting: 0, repeated: 0, doubled: 0 };
  for (const { id, waits } of messages) {
    if (waits) verdict.waiting += 1;
    else if (!mails.has(id)) verdict.lost += 1;
  }
  for (const copies of mails.values()) {
    for (const copy of copies.toSorted((a, b) => a.at - b.at).slice(0, -1)) {
      if (interruptions.some((one) => isInterrupted(copy, one))) verdict.repeated += 1;
      else verdict.doubled += 1;
    }
  }
  return verdict;
}

function isInterrupted({ at }: Mail, { from, to }: Interruption): boolean {
  return at > from - SEND_MS && at < to;
}
