import type { DueAssignment } from '../messages/campaign-messages.ts';
import type { AdminNoticeKind } from '../outbox/notice-kinds.ts';
import type { LearnerMessageKind } from '../outbox/outbox.ts';
import type { OverdueAssignment } from '../messages/overdue-team.ts';
import type { Receipt, VoidedSignature } from '../messages/receipts.ts';

/** Content of a message, without its layout. Its strings are plain text, not HTML. */
export interface MessageContent {
  subject: string;
  greeting: string;
  paragraphs: string[];
  /** Names of courses, policies, keys or addresses, one per line. */
  items: string[];
  /** Paragraphs after the names. */
  afterItems?: string[];
  /** Link for the reader to follow. */
  action?: { label: string; url: string };
  /** Explains why the reader gets this message, and names a contact for questions. */
  footer: string;
}

/** Texts of a message about subjects, without the names of the subjects. */
export interface ItemTexts {
  /** Subject line for a single item. */
  one(name: string): string;
  /** Subject line for several items. */
  many(count: number): string;
  /** Sentence before a single item. */
  beforeOne: string;
  beforeMany: string;
}

/** Texts of a message about courses or policies. */
interface TrainingTexts extends ItemTexts {
  /** Label of the link. */
  action: string;
}

/** Texts of a message to admins or managers. */
interface NoticeTexts extends ItemTexts {
  /** Advice on how to react. */
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

interface Keep {
  company: string;
  contact: string;
  keepUrl: string;
}

/** All texts that the service writes to people in emails, in one language. */
export interface Wording
  extends
    Record<Exclude<LearnerMessageKind, 'assignments_overdue'>, (company: string) => TrainingTexts>,
    Record<AdminNoticeKind | 'assignments_overdue', (company: string) => NoticeTexts> {
  greeting(firstName: string): string;
  adminInvite(invite: Invite): Omit<MessageContent, 'greeting' | 'items'>;
  /** Describes a signature, and says what to do if somebody else signed. */
  receipt(this: void, receipt: Receipt): string;
  /** Describes a signature that no longer counts, and says whether the reader has to sign again. */
  voidedSignature(this: void, signature: VoidedSignature): string;
  /** Describes an assignment: its name, the day on which it is or was due, and whether it is overdue. */
  dueAssignment(this: void, assignment: DueAssignment): string;
  /** Describes an overdue assignment of a learner to the manager. */
  overdueAssignment(this: void, assignment: OverdueAssignment): string;
  /** Names the number of assignments that a message does not list. */
  moreOverdue(count: number): string;
  /** Names the contact for questions about the campaign. */
  questionsTo(this: void, name: string): string;
  signIn(link: SignIn): Omit<MessageContent, 'greeting' | 'items'>;
  adminSignIn(link: SignIn): Omit<MessageContent, 'greeting' | 'items'>;
  /** Text for an admin's former address. Omits the new address. */
  keepPasskeys(link: Keep): Omit<MessageContent, 'greeting' | 'items'>;
  /**
   * Text for the previous address. Omits the new address, because a wrong previous address could belong to a stranger.
   */
  addressChanged(learner: { company: string; contact: string }): Omit<MessageContent, 'greeting' | 'items'>;
  /** Advice about a link that signs the reader in. */
  personalLink: string;
  trainingFooter(company: string, contact: string): string;
  managerFooter(company: string, contact: string): string;
  adminFooter(company: string, contact: string): string;
}
