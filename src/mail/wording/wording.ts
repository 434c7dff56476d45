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

/** Everything that the service writes to people, in one language. */
export interface Wording {
  adminInvite(facts: InviteFacts): MessageContent;
  courseEnrollment(facts: TrainingFacts): MessageContent;
  courseReminder(facts: TrainingFacts): MessageContent;
  policyRequest(facts: TrainingFacts): MessageContent;
  policyReminder(facts: TrainingFacts): MessageContent;
}

interface Facts {
  /** The reader's first name. */
  name: string;
  company: string;
  contact: string;
}

export interface InviteFacts extends Facts {
  setupUrl: string;
  expiresAt: Date;
}

export interface TrainingFacts extends Facts {
  /** Names of courses or of policies. */
  subjects: string[];
  trainingUrl: string | undefined;
}
