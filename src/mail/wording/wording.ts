import type { LearnerMessageKind } from '../outbox.ts';

/** What a message says, without its form. Nothing in it is HTML yet. */
export interface MessageContent {
  subject: string;
  greeting: string;
  paragraphs: string[];
  /** Names of courses or policies, one to a line. */
  items: string[];
  /** Paragraphs after them. */
  afterItems?: string[];
  /** A link that asks to be followed. */
  action?: { label: string; url: string };
  /** Why the reader gets this, and whom to ask. */
  footer: string;
}

/** What a message about courses or policies says, apart from their names. */
interface TrainingWords {
  /** The subject of a message about one of them. */
  one(name: string): string;
  /** The subject of a message about several. */
  many(count: number): string;
  /** The sentence before the name, or before the names. */
  beforeOne: string;
  beforeMany: string;
  /** The label of the link. */
  action: string;
}

interface Invite {
  company: string;
  contact: string;
  setupUrl: string;
  expiresAt: Date;
}

/** Everything that the service writes to people, in one language. */
export interface Wording extends Record<LearnerMessageKind, (company: string) => TrainingWords> {
  greeting(firstName: string): string;
  adminInvite(invite: Invite): Omit<MessageContent, 'greeting' | 'items'>;
  /** Says where training is found, when the service has no address of it. */
  whereToFind: string;
  trainingFooter(company: string, contact: string): string;
}
