// Judges a reported email: which of its messages are simulation messages, and whether a person must look at the rest.
//
// If a message has the token or the Message-ID of a message that was sent to the reporting learner, it is that message,
// because nobody else knows these values. It counts as reported and is not forwarded.
//
// Every other message is forwarded, with one of these labels. Otherwise, a real attack could hide behind values that
// more people know: another recipient's token, the header for the mail team, or a subject.
//   - `likely`: the message has the subject and the sender of a message that the learner recently received. If a link
//     scanner keeps the links in its database and a mail program drops the headers, no other sign is left. The report
//     counts.
//   - `marked`: the message has the token, the Message-ID or the header of another simulation message, perhaps in
//     another company. The report does not count.
//   - `unknown`: the message has no sign of a simulation.
import { hash } from 'node:crypto';
import type { JobTenants } from '../../../../db/tenant.ts';
import { readPersonToken } from '../../../../identity/person-token.ts';
import { recordEvents } from '../simulation-events.ts';
import { findForwarded, type Identifiers, isMarked, listSent, type SentMessage } from './forward-repository.ts';
import type { MailTraces, MessageTraces } from './mail-traces.ts';
import { buildReport, type Message } from './reported-messages.ts';

/** A learner who might have sent the report. */
export interface Reporter {
  companyId: string;
  learnerId: string;
}

/** Reasons to forward an email, most urgent first. */
export const FORWARD_REASONS = ['unreadable', 'mixed', 'unknown', 'marked', 'likely'] as const;
export type ForwardReason = (typeof FORWARD_REASONS)[number];

type Verdict = 'own' | 'likely' | 'marked' | 'unknown';

/** Maximum number of companies whose simulations are looked up for the tokens of one email. */
const MAX_COMPANIES = 10;

interface Judging {
  reporters: readonly Reporter[];
  /** Further companies in which to look up simulations. */
  companyIds?: readonly string[];
  at: Date;
  access: JobTenants;
}

/**
 * Records, for each simulation message in the email, that its recipient has reported it.
 * @returns the reason to forward the email; undefined if every message in it is a simulation message of a reporter
 */
export async function judgeReport(
  traces: MailTraces,
  { reporters, companyIds = [], at, access }: Judging,
): Promise<ForwardReason | undefined> {
  const known = { own: new Set<MessageTraces>(), likely: new Set<MessageTraces>() };
  for (const reporter of reporters) {
    const found = await recordReports(traces.messages, reporter, { at, access });
    for (const message of found.own) known.own.add(message);
    for (const message of found.likely) known.likely.add(message);
  }
  const rest = new Set<Verdict>();
  for (const message of listReported(traces.messages, known.own)) {
    if (known.own.has(message)) continue;
    if (known.likely.has(message)) rest.add('likely');
    else rest.add((await isOfAnother(message, { reporters, companyIds, access })) ? 'marked' : 'unknown');
  }
  if (!traces.isComplete) return 'unreadable';
  if (rest.has('unknown')) return known.own.size > 0 ? 'mixed' : 'unknown';
  return FORWARD_REASONS.find((reason) => rest.has(reason as Verdict));
}

/** Lists the reported messages. Messages that a simulation message quotes count as part of it. */
function listReported(messages: readonly MessageTraces[], own: ReadonlySet<MessageTraces>): MessageTraces[] {
  return messages.flatMap((message) => [
    ...(message.isReported ? [message] : []),
    ...(own.has(message) ? [] : listReported(message.quoted, own)),
  ]);
}

function withQuoted(messages: readonly MessageTraces[]): MessageTraces[] {
  return messages.flatMap((message) => [message, ...withQuoted(message.quoted)]);
}

async function recordReports(
  messages: readonly MessageTraces[],
  { companyId, learnerId }: Reporter,
  { at, access }: { at: Date; access: JobTenants },
): Promise<{ own: MessageTraces[]; likely: MessageTraces[] }> {
  const all = withQuoted(messages);
  const identifiers = mergeIdentifiers(all);
  return access.ofJob(companyId).transaction(async (tx) => {
    const forwarded = await findForwarded(tx, learnerId, identifiers);
    const keys = new Map(forwarded.map((row) => [row.tokenHash ?? `<${row.messageId}>`, row]));
    const messageOf = (traces: MessageTraces) => listKeys(traces).flatMap((key) => keys.get(key) ?? []);
    const own = all.filter((traces) => messageOf(traces).length > 0);
    const others = all.filter((traces) => traces.isReported && traces.subject !== '' && !own.includes(traces));
    const sent = others.length === 0 ? [] : await listSent(tx, learnerId, at);
    const likely = others.flatMap((traces) => {
      const message = sent.find((candidate) => isLike(traces, candidate));
      return message ? [{ traces, message }] : [];
    });
    const reported: Message[] = [...forwarded, ...likely.map(({ message }) => message)];
    const bySimulation = new Map(reported.map((message) => [message.simulationId, message]));
    await recordEvents(
      tx,
      [...bySimulation.values()].map(({ simulationId }) => buildReport({ simulationId, learnerId }, at)),
    );
    // The report can contain a message twice: attached, and quoted without its identifiers.
    const isForwarded = ({ simulationId }: Message) => forwarded.some((row) => row.simulationId === simulationId);
    const same = likely.filter(({ message }) => isForwarded(message));
    return {
      own: [...own, ...same.map(({ traces }) => traces)],
      likely: likely.filter((one) => !same.includes(one)).map(({ traces }) => traces),
    };
  });
}

/** Reports whether a message has identifiers of a simulation message that none of the reporters received. */
async function isOfAnother(
  message: MessageTraces,
  { reporters, companyIds = [], access }: Omit<Judging, 'at'>,
): Promise<boolean> {
  const identifiers = mergeIdentifiers(withQuoted([message]));
  if (identifiers.messageIds.length + identifiers.tokens.length + identifiers.headerSecrets.length === 0) return false;
  const named = identifiers.tokens.flatMap((token) => readPersonToken(token)?.companyId ?? []);
  const own = [...companyIds, ...reporters.map(({ companyId }) => companyId)];
  const companies = [...new Set([...own, ...named])].slice(0, MAX_COMPANIES);
  for (const companyId of companies) if (await isMarked(access.ofJob(companyId), identifiers)) return true;
  return false;
}

/** Reports whether a message looks like one that was sent: it has the same subject and sender. */
function isLike({ subject, senders }: MessageTraces, sent: SentMessage): boolean {
  return senders.includes(sent.sender.toLowerCase()) && normalizeSubject(subject) === normalizeSubject(sent.subject);
}

/** Pattern of the prefixes that mail programs (`Fwd:`) and servers (`[EXTERNAL]`) put before a subject. */
const PREFIX = /^(?:(?:fwd?|wg|tr|rv|doorst|i|vs|re|aw|antw|sv|enc)[ \u00a0]?:|\[[^\]]{1,40}\])\s*/i;
const MAX_PREFIXES = 10;

/** Removes the prefixes of a subject and normalises its spaces. */
export function normalizeSubject(subject: string): string {
  const visible = subject
    .slice(0, 1000)
    .normalize('NFKC')
    .replace(/[\u200b-\u200d\u2060\ufeff\u00ad]/g, '');
  let plain = visible.trim();
  for (let count = 0; count < MAX_PREFIXES; count += 1) plain = plain.replace(PREFIX, '');
  return plain.replace(/\s+/g, ' ').trim().toLowerCase();
}

function listKeys({ tokens, messageIds }: MessageTraces): string[] {
  return [...tokens.map((token) => hash('sha256', token, 'hex')), ...messageIds.map((id) => `<${id}>`)];
}

/** Lists the identifiers in an email, including those in quoted messages. */
export function listIdentifiers({ messages }: MailTraces): Identifiers {
  return mergeIdentifiers(withQuoted(messages));
}

function mergeIdentifiers(messages: readonly MessageTraces[]) {
  return {
    messageIds: [...new Set(messages.flatMap(({ messageIds }) => messageIds))],
    tokens: [...new Set(messages.flatMap(({ tokens }) => tokens))],
    headerSecrets: [...new Set(messages.flatMap(({ headerSecrets }) => headerSecrets))],
  };
}
