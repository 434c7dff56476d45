import type { Language } from '../../../contract/languages.ts';
import type { PersonResult } from '../../../operations/operations.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { getFormats } from '../overview/figure-formats.ts';
import { cutHint, renderDay, formFault, hiddenFields } from '../../shared/parts/fields.ts';
import { confirmation } from '../../shared/parts/confirmation.ts';
import { type SimulationsMessages, simulationsMessages } from './simulations-messages.ts';

type OpenSimulation = PersonResult<'listOpenSimulations'>[number];

export const SIMULATIONS_PATH = '/console/simulations';

export interface SimulationsView {
  language: Language;
  formToken: string;
  /** The signed-in admin. */
  adminId: string;
  /** Whether the admin can approve, and cancel, simulations. */
  canApprove: boolean;
  canCancel: boolean;
  simulations: readonly OpenSimulation[];
  /** Whether there are more simulations than the page shows. */
  isCut: boolean;
  /** Reason why the requested action failed. */
  fault: string | undefined;
}

/** Renders the scheduled and running simulations of the company, with the decisions that an admin can make. */
export function simulationsContent(view: SimulationsView): Html {
  const { language, simulations, isCut, fault } = view;
  const messages = simulationsMessages[language];
  return html`
    <p>${messages.about}</p>
    ${formFault(fault)} ${simulations.length === 0 && html`<p>${messages.none}</p>`}
    ${simulations.map((simulation) => simulationSection(simulation, view, messages))} ${cutHint(isCut, language)}
  `;
}

function simulationSection(simulation: OpenSimulation, view: SimulationsView, messages: SimulationsMessages): Html {
  const { name, startDate, endDate, recipientCount, senderDomain, scheduledAt, approverNames } = simulation;
  const { language } = view;
  const fact = (title: string, value: Html | string) =>
    html`<dt>${title}</dt>
      <dd>${value}</dd>`;
  return html`<section>
    <h2>${name}</h2>
    <dl>
      ${fact(messages.window, html`${renderDay(startDate, language, '')} – ${renderDay(endDate, language, '')} (UTC)`)}
      ${fact(messages.recipients, getFormats(language).number(recipientCount))}
      ${fact(messages.templates, formatTemplates(simulation, messages))} ${fact(messages.senderDomain, senderDomain)}
      ${fact(messages.scheduledBy, html`${schedulerName(simulation, messages)}, ${renderDay(scheduledAt, language, '')} (UTC)`)}
      ${fact(messages.state, formatState(simulation, messages))}
      ${fact(messages.approvedBy, approverNames.join(', ') || messages.nobody)}
    </dl>
    ${!simulation.isApproved && view.canApprove && approval(simulation, view, messages)}
    ${view.canCancel && cancelLink(simulation, messages)}
  </section>`;
}

function cancelLink({ id, name }: OpenSimulation, messages: SimulationsMessages): Html {
  const path = `${SIMULATIONS_PATH}/${id}/cancel`;
  return html`<p><a href=${path} aria-label=${messages.cancelNamed(name)}>${messages.cancel}</a></p>`;
}

/** Names the scheduler, so that approvers see whether it is a program. */
function schedulerName(simulation: OpenSimulation, messages: SimulationsMessages): string {
  const { schedulingAdmin, schedulingKey, campaignName } = simulation;
  if (campaignName !== null) return messages.byCampaign(campaignName);
  return schedulingAdmin ?? (schedulingKey === null ? messages.unknown : messages.byKey(schedulingKey));
}

function formatTemplates({ templateNames, templateCount }: OpenSimulation, messages: SimulationsMessages): string {
  const left = templateCount - templateNames.length;
  return [...templateNames, ...(left > 0 ? [messages.more(left)] : [])].join(', ');
}

/** Formats the state. A simulation that is blocked for a reason unknown to this release shows its status. */
function formatState({ status, isApproved, blockedBecause }: OpenSimulation, { states }: SimulationsMessages): string {
  if (!isApproved) return states.approval;
  return blockedBecause === 'domain' ? states.domain : states[status];
}

function approval(
  { id, name, approvedBy }: OpenSimulation,
  { adminId, formToken }: SimulationsView,
  messages: SimulationsMessages,
): Html {
  if (approvedBy.includes(adminId)) return html`<p class="note">${messages.approved}</p>`;
  return html`<form method="post" action=${`${SIMULATIONS_PATH}/${id}/approve`}>
    ${hiddenFields(formToken)}
    <button type="submit" aria-label=${messages.approveNamed(name)}>${messages.approve}</button>
  </form>`;
}

/** Renders the page that confirms the cancellation of a simulation. */
export function cancelContent({ id, name }: OpenSimulation, formToken: string, language: Language): Html {
  const messages = simulationsMessages[language];
  return confirmation({
    about: messages.cancelAbout(name),
    action: `${SIMULATIONS_PATH}/${id}/cancel`,
    hidden: hiddenFields(formToken),
    button: messages.cancelButton,
    keep: { href: SIMULATIONS_PATH, text: messages.keep },
  });
}
