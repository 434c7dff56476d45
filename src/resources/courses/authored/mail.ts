import escapeHtml from 'escape-html';
import type { MailText } from './course.ts';
import { renderLine, type ReportFault } from './lesson.ts';

/** An email as authors write it in `questions.yaml`. */
export interface WrittenMail {
  from: { name: string; address: string };
  to: string;
  date: string;
  subject: string;
  attachment?: string;
  headers?: { id?: string; name: string; value: string }[];
  body: { id?: string; text: string; address?: string }[];
}

/** Id of the answer that the email is harmless. */
export const HARMLESS = 'harmless';
/** Parts that every email has; their names are also the ids by which learners mark them. */
const FIXED_PARTS = ['from', 'to', 'date', 'subject'];

interface JudgedMail {
  mail: WrittenMail;
  answers: readonly { id: string; right: boolean }[];
  atLeast?: number;
}

/**
 * Reports answers that name no part of the email, parts without an answer, and an email that is declared both
 * suspicious and harmless.
 */
export function judgeMail(
  { mail, answers, atLeast }: JudgedMail,
  report: (place: string, message: string) => void,
): void {
  const partIds = listPartIds(mail);
  const fixed = [...FIXED_PARTS, 'attachment', HARMLESS];
  const ownIds = partIds.filter((id) => !fixed.includes(id));
  for (const id of new Set(ownIds)) {
    if (ownIds.filter((other) => other === id).length > 1) report('mail', `two parts have the id ${id}`);
  }
  for (const { id } of [...(mail.headers ?? []), ...mail.body]) {
    if (id !== undefined && fixed.includes(id)) report('mail', `${id} is the id of another part`);
  }
  answers.forEach(({ id }, index) => {
    if (id !== HARMLESS && !partIds.includes(id))
      report(`answers/${index}/id`, `no part of the email has the id ${id}; its parts are ${partIds.join(', ')}`);
  });
  const answered = new Set(answers.map(({ id }) => id));
  const unexplained = partIds.filter((id) => !FIXED_PARTS.includes(id) && !answered.has(id));
  if (unexplained.length > 0) report('answers', `lack the parts ${unexplained.join(', ')}`);
  const harmless = answers.find(({ id }) => id === HARMLESS);
  const cues = answers.filter(({ id, right }) => id !== HARMLESS && right).length;
  if (!harmless) report('answers', `lack ${HARMLESS}, which says that nothing is wrong`);
  else if (harmless.right === cues > 0)
    report('answers', `either ${HARMLESS} or parts of the email must be right, not both`);
  if (atLeast !== undefined && atLeast > cues) report('atLeast', `must be at most ${cues}, the number of right parts`);
}

function listPartIds({ attachment, headers = [], body }: WrittenMail): string[] {
  return [
    ...FIXED_PARTS,
    ...(attachment === undefined ? [] : ['attachment']),
    ...headers.flatMap(({ id }) => id ?? []),
    ...body.flatMap(({ id }) => id ?? []),
  ];
}

/** Serializes the parts of an email that all languages must share. */
export function serializeParts(mail: WrittenMail | undefined): unknown {
  return mail && [listPartIds(mail), mail.body.map(({ address }) => address !== undefined)];
}

/** Returns the text of each part that can be marked, by its id. */
export function renderParts({ from, to, date, subject, attachment, headers = [], body }: WrittenMail) {
  const parts = { from: `${from.name} <${from.address}>`, to, date, subject, attachment: attachment ?? '' };
  return new Map([
    ...Object.entries(parts).map(([id, text]) => [id, escapeHtml(text)] as const),
    ...headers.flatMap(({ id, name, value }) =>
      id === undefined ? [] : [[id, escapeHtml(`${name}: ${value}`)] as const],
    ),
    ...body.flatMap(({ id, text, address }) =>
      id === undefined
        ? []
        : [[id, renderLine(text, ignore) + (address === undefined ? '' : ` (${escapeHtml(address)})`)] as const],
    ),
  ]);
}

// Ignores faults here, because `renderMail` renders the same texts and reports them.
const ignore: ReportFault = () => undefined;

export function renderMail(mail: WrittenMail, report: ReportFault): MailText {
  const { attachment = null, headers = [], body } = mail;
  return {
    ...mail,
    attachment,
    headers: headers.map(({ id = null, name, value }) => ({ id, name, value })),
    body: body.map(({ id = null, text, address = null }) => ({ id, textHtml: renderLine(text, report), address })),
  };
}
