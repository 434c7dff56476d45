import type { Schemas } from '../../../contract/contract.ts';

/** Message settings of a campaign, as its columns hold them. */
export interface MessageSettings {
  /** Numbers of days before the due date, earliest reminder first. */
  remindBefore: number[];
  /** Numbers of days after the due date, earliest reminder first. */
  remindAfter: number[];
  message: string | null;
  replyName: string | null;
  /** Number of days after the due date at which managers start to get messages; null if they never do. */
  escalateAfter: number | null;
}

/** Message fields of a request or a campaign. Omitted fields are undefined. */
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

/** Completes the message fields of a request with the defaults. */
export function completeMessages({ reminders, message = null, replyName = null, escalation = null }: StatedMessages) {
  const { remindBefore: before, remindAfter: after } = DEFAULT_MESSAGES;
  return { reminders: { before, after, ...reminders }, message, replyName, escalation };
}

/** Reads the message fields of a request. Omitted fields keep their current values. */
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
