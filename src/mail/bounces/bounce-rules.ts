// Classifies every report that a message was not delivered: an email in the bounce mailbox, a refusal by a mail server,
// or a report from a mail provider.
//
// - `hard`: no mailbox has the e-mail address, the mailbox is disabled, or the domain does not accept mail.
// - `soft`: the mailbox is full, or the server does not respond for now.
// - `blocked`: the server refuses the message or its sender; the address might be valid.
//
// The enhanced status code (RFC 3463) decides. If the code has no detail, or servers use it with several meanings, the
// wording of the server's response decides.

/** Class of a bounce. */
export type BounceClass = 'hard' | 'soft' | 'blocked';

/** Reasons of bounces, as responses show them. */
export type BounceReason =
  ('mailbox_unknown' | 'domain_unknown' | 'mailbox_disabled' | 'mailbox_full') | ('unreachable' | 'blocked' | 'other');

/** A classified bounce. */
export interface Bounce {
  class: BounceClass;
  reason: BounceReason;
  /** Enhanced status code; null if the report has none. */
  status: string | null;
}

const HARD: Readonly<Record<string, BounceReason>> = {
  '1.1': 'mailbox_unknown',
  '1.2': 'domain_unknown',
  '1.3': 'mailbox_unknown',
  '1.6': 'mailbox_unknown',
  // Used by Exchange Online.
  '1.10': 'mailbox_unknown',
  '2.1': 'mailbox_disabled',
  '4.4': 'domain_unknown',
  '4.310': 'domain_unknown',
};

/** Patterns for servers' responses. The first pattern that matches decides. */
const WORDS: readonly (readonly [RegExp, BounceClass, BounceReason])[] = [
  [/\b(mail ?box|inbox|account|user|recipient)\b.{0,40}\bfull\b|quota|out of (storage|space)/, 'soft', 'mailbox_full'],
  [
    /\b(user|recipient|mailbox|address|account|alias)\b.{0,40}\b(unknown|not found|does ?n[o']t exist|not exist|invalid|no longer|rejected: access denied)|unknown (user|recipient|mailbox|local part|address)|no such (user|recipient|mailbox|person|address)|no mailbox (here )?by that name|not listed in (domino directory|public name)|unrouteable address|doesn't have a \S+ account|invalid recipient|not our customer/,
    'hard',
    'mailbox_unknown',
  ],
  [
    /(host|domain)\b.{0,60}\b(not found|does not exist|unknown|nxdomain|no mail)|(unknown|no such) (host|domain)|null ?mx/,
    'hard',
    'domain_unknown',
  ],
  [/(account|mailbox|user)\b.{0,40}\b(disabled|inactive|suspended|deactivated)/, 'hard', 'mailbox_disabled'],
  [/spam|policy|blocked|black ?list|block ?list|denied|reputation|dmarc|\bspf\b|virus|content/, 'blocked', 'blocked'],
  [
    /timed? ?out|time-?out|connection refused|unreachable|try again later|too long in the queue|has been in the queue too long|retry time(out)?/,
    'soft',
    'unreachable',
  ],
];

/** Pattern of an enhanced status code. The second and third numbers have up to three digits. */
const CODE = /(?<![\d.])([245])\.(\d{1,3})\.(\d{1,3})(?![\d.])/;

/**
 * Classifies a bounce.
 * @param status the enhanced status code that a report states, if any
 * @param words the server's text, without the message that it quotes
 */
export function classifyBounce({ status = '', words = '' }: { status?: string; words?: string }): Bounce {
  const text = words.slice(0, 4000).toLowerCase();
  const [stated, written] = [CODE.exec(status), CODE.exec(text)];
  // Relays replace the server's code with a general one, but quote the server's text.
  const code = written && (!stated || isGeneral(stated)) ? written : stated;
  if (!code) return { ...classifyWords(text, /(?<!\d)4\d\d(?!\d)/.test(text) ? '4' : '5'), status: null };
  const [full, kind, ...detail] = code as unknown as [string, string, string, string];
  return { ...classifyCode(kind, detail, text), status: full };
}

function isGeneral([, , subject, detail]: RegExpExecArray): boolean {
  return subject === '0' || detail === '0';
}

type Classified = Omit<Bounce, 'status'>;

function classifyCode(kind: string, [subject, detail]: string[], text: string): Classified {
  const key = `${subject!}.${detail!}`;
  if (key === '2.2') return { class: 'soft', reason: 'mailbox_full' };
  if (subject === '7' || key === '1.7' || key === '1.8') return classifyPolicy(text);
  if (kind === '4') return { class: 'soft', reason: 'unreachable' };
  if (key === '1.10' && /null ?mx|does not accept mail/.test(text)) return { class: 'hard', reason: 'domain_unknown' };
  const reason = HARD[key];
  return reason === undefined ? classifyWords(text, kind) : { class: 'hard', reason };
}

/**
 * Classifies a security or policy status code (X.7.X, X.1.7, X.1.8). Some servers also use these codes for unknown
 * recipients.
 */
function classifyPolicy(text: string): Classified {
  const words = classifyWords(text, '5');
  return words.reason === 'mailbox_unknown' ? words : { class: 'blocked', reason: 'blocked' };
}

function classifyWords(text: string, kind: string): Classified {
  const match = WORDS.find(([pattern]) => pattern.test(text));
  const other: Classified = { class: kind === '4' ? 'soft' : 'blocked', reason: 'other' };
  if (!match) return other;
  const [, matched, reason] = match;
  return { class: kind === '4' && matched === 'hard' ? 'soft' : matched, reason };
}

/**
 * Classifies a mail server's refusal of a message; undefined for a failure that is not about the recipient. A temporary
 * refusal is often about the sender, so it counts only with a code about addresses or mailboxes.
 * @param response the last response of the server, or the text of another failure
 */
export function classifyRefusal(response: string): Bounce | undefined {
  const [, kind, , code] = /^([45])(\d\d)[ -](\d\.\d{1,3}\.\d{1,3})?/.exec(response) ?? [];
  if (kind === undefined || (kind === '4' && !/^4\.[12]\./.test(code ?? ''))) return undefined;
  return classifyBounce({ words: response });
}
