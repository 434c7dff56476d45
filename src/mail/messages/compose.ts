import type { SendMailOptions } from 'nodemailer';
import type { MailConfig } from '../../config/mail-settings.ts';
import { toLanguage } from '../../contract/languages.ts';
import { renderMessageHtml, renderMessageText } from './message-form.ts';
import type { MessageRow } from './message-repository.ts';
import type { DueAssignment } from './campaign-messages.ts';
import { toInlineLogo } from './inline-logo.ts';
import { oneLine, oneLineAmidText } from './one-line.ts';
import { isNotice } from '../outbox/notice-kinds.ts';
import { listOverdue, type OverdueAssignment } from './overdue-team.ts';
import type { ItemTexts, MessageContent, Wording } from '../wording/wording.ts';
import { wordings } from '../wording/wordings.ts';

export type MailSettings = Pick<MailConfig, 'from' | 'contact' | 'trainingUrl'> &
  Partial<Pick<MailConfig, 'dkim'>> & { publicUrl: string };

/**
 * Header that keeps Exchange from sending automatic replies, receipts and delivery reports. It does not suppress
 * non-delivery reports, which the operator needs.
 */
export const SUPPRESSED_REPLIES = { 'X-Auto-Response-Suppress': 'DR, RN, NRN, OOF, AutoReply' };

/**
 * Composes the email of a queued message in the reader's language. Message-ID and Date are the same on every attempt,
 * so a mail system recognises a duplicate.
 */
export function compose(message: MessageRow, settings: MailSettings): SendMailOptions {
  const language = toLanguage(message.locale);
  const { from, contact, dkim } = settings;
  const replyTo = message.brandReplyTo ?? contact;
  const content = buildContent(message, wordings[language], { ...settings, contact: replyTo });
  const domain = from.address.slice(from.address.lastIndexOf('@') + 1);
  const logo = toInlineLogo(message, domain);
  const look = { color: message.brandColor, logo: logo && { ...message.brandLogoFacts!, cid: logo.cid } };
  return {
    from,
    to: { name: oneLine(message.name), address: message.email },
    ...(replyTo !== from.address && { replyTo }),
    subject: oneLine(content.subject),
    text: renderMessageText(content),
    html: renderMessageHtml(content, language, look),
    ...(logo && { attachments: [logo] }),
    messageId: `<${message.id}@${domain}>`,
    baseBoundary: message.id,
    date: new Date(message.createdAt),
    headers: {
      'Content-Language': language,
      'Auto-Submitted': 'auto-generated',
      ...SUPPRESSED_REPLIES,
    },
    ...(dkim && { dkim: { domainName: domain, keySelector: dkim.selector, privateKey: dkim.privateKey } }),
    // Forbids nodemailer from loading a part of the message from a file or a URL.
    disableFileAccess: true,
    disableUrlAccess: true,
  };
}

const DAY_MINUTES = 24 * 60;

/** Returns the lifetime in minutes of the sign-in link in a message; undefined if the message has no such link. */
export function getLinkMinutes(message: MessageRow, { trainingUrl }: MailSettings): number | undefined {
  if (message.kind === 'sign_in') return DAY_MINUTES;
  if (message.kind === 'admin_sign_in') return 30;
  if (message.kind === 'learner_address_changed' || message.kind === 'assignments_overdue') return undefined;
  return isToAdmin(message) || trainingUrl !== undefined ? undefined : 14 * DAY_MINUTES;
}

function buildContent(message: MessageRow, wording: Wording, settings: MailSettings): MessageContent {
  const { contact, publicUrl, trainingUrl } = settings;
  const company = oneLine(message.companyName);
  const greeting = wording.greeting(oneLine(message.firstName));
  if (message.kind === 'admin_invite') {
    const setupUrl = `${publicUrl}/setup/${message.setupToken}`;
    const expiresAt = new Date(message.setupExpiresAt!);
    return { greeting, items: [], ...wording.adminInvite({ company, contact, setupUrl, expiresAt }) };
  }
  if (message.kind === 'sign_in') {
    return { greeting, items: [], ...wording.signIn({ company, contact, signInUrl: signInUrl(message, settings) }) };
  }
  if (message.kind === 'admin_sign_in') {
    const consoleUrl = `${publicUrl}/console/sign-in/${message.setupToken}`;
    return { greeting, items: [], ...wording.adminSignIn({ company, contact, signInUrl: consoleUrl }) };
  }
  if (message.kind === 'keep_passkeys') {
    const keepUrl = `${publicUrl}/console/passkeys/keep/${message.setupToken}`;
    return { greeting, items: [], ...wording.keepPasskeys({ company, contact, keepUrl }) };
  }
  if (message.kind === 'learner_address_changed')
    return { greeting, items: [], ...wording.addressChanged({ company, contact }) };
  const items = message.subjectNames.map(oneLine);
  if (isNotice(message.kind)) {
    const texts = wording[message.kind](company);
    const footer = wording.adminFooter(company, contact);
    return { ...aboutItems(texts, items), greeting, afterItems: [texts.advice], footer };
  }
  if (message.kind === 'assignments_overdue') {
    const texts = wording.assignments_overdue(company);
    const { listed, more } = listOverdue(message.overdue ?? []);
    const lines = listed.map(toOverdueLine).map(wording.overdueAssignment);
    const afterItems = [...(more > 0 ? [wording.moreOverdue(more)] : []), texts.advice];
    return {
      ...aboutItems(texts, items),
      items: lines,
      greeting,
      afterItems,
      footer: wording.managerFooter(company, contact),
    };
  }
  const texts = wording[message.kind](company);
  return {
    ...aboutItems(texts, items),
    ...(message.assignments && { items: message.assignments.map(toLine).map(wording.dueAssignment) }),
    greeting,
    afterItems: [
      ...formatNotes(message.assignments ?? [], wording),
      ...(message.receipts?.map(wording.receipt) ?? []),
      ...(message.voidedSignatures?.map(toOneLine).map(wording.voidedSignature) ?? []),
      ...(trainingUrl ? [] : [wording.personalLink]),
    ],
    action: { label: texts.action, url: trainingUrl ?? signInUrl(message, settings) },
    footer: wording.trainingFooter(company, contact),
  };
}

function toOneLine<T extends { policyName: string }>(signature: T): T {
  return { ...signature, policyName: oneLine(signature.policyName) };
}

function toLine(assignment: DueAssignment): DueAssignment {
  return { ...assignment, name: oneLineAmidText(assignment.name) };
}

function toOverdueLine({ learnerName, name, ...rest }: OverdueAssignment): OverdueAssignment {
  return { learnerName: oneLineAmidText(learnerName), name: oneLineAmidText(name), ...rest };
}

/** Returns the texts and the contact names of the assignments' campaigns, without duplicates. */
function formatNotes(assignments: DueAssignment[], wording: Wording): string[] {
  const notes = assignments.flatMap(({ note }) => (note === null ? [] : [oneLine(note)]));
  const names = assignments.flatMap(({ replyName }) => (replyName === null ? [] : [oneLineAmidText(replyName)]));
  return [...new Set([...notes, ...names.map(wording.questionsTo)])];
}

function signInUrl({ setupToken }: MessageRow, { publicUrl }: MailSettings): string {
  return `${publicUrl}/learn/sign-in/${setupToken}`;
}

function aboutItems(texts: ItemTexts, items: string[]) {
  const isOne = items.length === 1;
  const subject = isOne ? texts.one(items[0]!) : texts.many(items.length);
  return { subject, paragraphs: [isOne ? texts.beforeOne : texts.beforeMany], items };
}

function isToAdmin({ kind }: MessageRow): boolean {
  return kind === 'admin_invite' || kind === 'admin_sign_in' || kind === 'keep_passkeys' || isNotice(kind);
}
