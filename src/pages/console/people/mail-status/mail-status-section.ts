import type { Schemas } from '../../../../contract/contract.ts';
import type { Language } from '../../../../contract/languages.ts';
import { type Html, html } from '../../../../http/html/html.ts';
import { hiddenFields } from '../../../shared/parts/fields.ts';
import { dataTable } from '../../../shared/parts/table.ts';
import { renderTime } from '../../../shared/sessions-page.ts';
import { toPersonPath } from '../people-paths.ts';
import { type MailStatusMessages, mailStatusMessages } from './mail-status-messages.ts';

export interface MailStatusView {
  learner: Pick<Schemas['Learner'], 'id' | 'mailStatus' | 'mailStatusReason'>;
  /** The latest bounces; undefined if the role does not include them. */
  bounces: readonly Schemas['LearnerBounce'][] | undefined;
  /** Token of the form that clears the status; undefined if the role cannot clear it. */
  formToken: string | undefined;
  language: Language;
}

/** Renders whether email reaches a person; returns nothing if no message has ever failed. */
export function mailStatusSection({ learner, bounces = [], formToken, language }: MailStatusView): Html | false {
  const messages = mailStatusMessages[language];
  const { mailStatus, mailStatusReason } = learner;
  const isFailing = mailStatus !== 'deliverable';
  if (!isFailing && bounces.length === 0) return false;
  const about = (messages.about as Record<string, (reason: string) => string>)[mailStatus];
  return html`<h2>${messages.title}</h2>
    ${about && html`<p>${about(formatReason(mailStatusReason ?? 'other', messages))}</p>`}
    ${isFailing && formToken !== undefined && clearForm(learner.id, formToken, messages)}
    ${bounces.length > 0 && bounceTable(bounces, language)}`;
}

function clearForm(learnerId: string, formToken: string, messages: MailStatusMessages): Html {
  return html`<form method="post" action=${`${toPersonPath(learnerId)}/clear-mail-status`}>
    ${hiddenFields(formToken)}
    <p class="hint">${messages.clearAbout}</p>
    <button type="submit">${messages.clear}</button>
  </form>`;
}

function bounceTable(bounces: readonly Schemas['LearnerBounce'][], language: Language): Html {
  const messages = mailStatusMessages[language];
  const toRow = (bounce: Schemas['LearnerBounce']) => [
    renderTime(bounce.occurredAt, language),
    (messages.classes as Record<string, string>)[bounce.class] ?? bounce.class,
    formatReason(bounce.reason, messages),
    bounce.status ?? '–',
    bounce.isPresentAddress ? messages.presentAddress : messages.formerAddress,
  ];
  return dataTable({ caption: messages.caption, columns: messages.head, rows: bounces.map(toRow) });
}

function formatReason(reason: string, { reasons }: MailStatusMessages): string {
  return (reasons as Record<string, string>)[reason] ?? reasons.other;
}
