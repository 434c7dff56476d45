import type { Schemas } from '../../../contract/contract.ts';

/** Settings of a campaign's messages, in columns. */
export interface MessageSettings {
  /** Days before the due date, earliest reminder first. */
  remindBefore: number[];
  /** Days after the due date, earliest reminder first. */
  remindAfter: number[];
  message: string | null;
  replyName: string | null;
  /** Number of days after the due date at which managers start to get messages; null if they never do. */
  escalateAfter: number | null;
}

/** Fields of a request or of a campaign that state its messages. Omitted fields have no value. */
export interface StatedMessages {
  reminders?: Schemas['CampaignRemindersInput'] | undefined;
  message?: string | null | undefined;
  replyName?: string | null | undefined;
  escalation?: Schemas['CampaignEscalation'] | null | undefined;
}

export const DEFAULT_MESSAGES: MessageSettings = {
  ...{ remindBefore: [7, 1], remindAfter: [1, 7, 14] },
  ...{ message: null, replyName: null, escalateAfter: null },
};

/** Completes what a request states about messages with the defaults. */
export function completeMessages({ reminders, message = null, replyName = null, escalation = null }: StatedMessages) {
  const { remindBefore: before, remindAfter: after } = DEFAULT_MESSAGES;
  return { reminders: { before, after, ...reminders }, message, replyName, escalation };
}

/** Reads what a request states about messages. Omitted fields keep their current value. */
export function readMessages(stated: StatedMessages, current: MessageSettings): MessageSettings {
  const { reminders = {}, message = current.message, replyName = current.replyName, escalation } = stated;
  const { before = current.remindBefore, after = current.remindAfter } = reminders;
  return {
    remindBefore: before.toSorted((a, b) => b - a),
    remindAfter: after.toSorted((a, b) => a - b),
    ...{ message, replyName },
    escalateAfter: escalation === undefined ? current.escalateAfter : (escalation?.afterDays ?? null),
  };
}
