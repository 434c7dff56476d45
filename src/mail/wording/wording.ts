import type { AdminNoticeKind, LearnerMessageKind } from '../outbox.ts';
import type { Receipt } from '../receipts.ts';

/** The content of a message, without its form. Nothing in it is HTML yet. */
export interface MessageContent {
  subject: string;
  greeting: string;
  paragraphs: string[];
  /** The names of courses, policies, keys or addresses, one in each line. */
  items: string[];
  /** Paragraphs after the names. */
  afterItems?: string[];
  /** The link to follow. */
  action?: { label: string; url: string };
  /** Why the reader gets this message, and whom to ask. */
  footer: string;
}

/** The words of a message about some items, apart from their names. */
export interface ItemTexts {
  /** The subject when there is one. */
  one(name: string): string;
  /** The subject when there are several. */
  many(count: number): string;
  /** The sentence before the list. */
  beforeOne: string;
  beforeMany: string;
}

/** The words of a message about courses or policies. */
interface TrainingTexts extends ItemTexts {
  /** The label of the link. */
  action: string;
}

/** The words of a message to admins. */
interface NoticeTexts extends ItemTexts {
  /** What to do about it. */
  advice: string;
}

interface Invite {
  company: string;
  contact: string;
  setupUrl: string;
  expiresAt: Date;
}

interface SignIn {
  company: string;
  contact: string;
  signInUrl: string;
}

/** All texts of the service for people, in one language. */
export interface Wording
  extends
    Record<LearnerMessageKind, (company: string) => TrainingTexts>,
    Record<AdminNoticeKind, (company: string) => NoticeTexts> {
  greeting(firstName: string): string;
  adminInvite(invite: Invite): Omit<MessageContent, 'greeting' | 'items'>;
  /** What was signed, and what to do when it was somebody else. */
  receipt(this: void, receipt: Receipt): string;
  signIn(link: SignIn): Omit<MessageContent, 'greeting' | 'items'>;
  adminSignIn(link: SignIn): Omit<MessageContent, 'greeting' | 'items'>;
  /** To the address of before. It does not name the new one: a stranger may read this where the old address was wrong. */
  addressChanged(learner: { company: string; contact: string }): Omit<MessageContent, 'greeting' | 'items'>;
  /** What to know of a link that signs in. */
  personalLink: string;
  trainingFooter(company: string, contact: string): string;
  adminFooter(company: string, contact: string): string;
}
