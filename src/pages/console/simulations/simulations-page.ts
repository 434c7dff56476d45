import type { Language } from '../../../contract/languages.ts';
import type { OpenSimulation } from '../../../resources/simulations/sending/open-simulations.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { formatsOf } from '../overview/figure-formats.ts';
import { cutHint, dayOf, formFault, hiddenFields } from '../form-parts.ts';
import { type SimulationsWords, simulationsWords } from './simulations-words.ts';

export const SIMULATIONS_PATH = '/console/simulations';

export interface SimulationsView {
  language: Language;
  formToken: string;
  /** The admin who looks. */
  adminId: string;
  simulations: readonly OpenSimulation[];
  /** There are more. */
  isCut: boolean;
  /** Why what was asked for was not done. */
  fault: string | undefined;
}

/** The simulations of the company that are to begin or run, with what an admin decides about them. */
export function simulationsContent(view: SimulationsView): Html {
  const { language, simulations, isCut, fault } = view;
  const words = simulationsWords[language];
  return html`
    <p>${words.about}</p>
    ${formFault(fault)} ${simulations.length === 0 && html`<p>${words.none}</p>`}
    ${simulations.map((simulation) => simulationSection(simulation, view, words))} ${cutHint(isCut, language)}
  `;
}

function simulationSection(simulation: OpenSimulation, view: SimulationsView, words: SimulationsWords): Html {
  const { id, name, startDate, endDate, recipientCount, senderDomain, scheduledAt, approverNames } = simulation;
  const { language } = view;
  const fact = (title: string, value: Html | string) =>
    html`<dt>${title}</dt>
      <dd>${value}</dd>`;
  return html`<section>
    <h2>${name}</h2>
    <dl>
      ${fact(words.window, html`${dayOf(startDate, language, '')} – ${dayOf(endDate, language, '')} (UTC)`)}
      ${fact(words.recipients, formatsOf(language).number(recipientCount))}
      ${fact(words.templates, templatesOf(simulation, words))} ${fact(words.senderDomain, senderDomain)}
      ${fact(words.scheduledBy, html`${schedulerName(simulation, words)}, ${dayOf(scheduledAt, language, '')} (UTC)`)}
      ${fact(words.state, stateOf(simulation, words))}
      ${fact(words.approvedBy, approverNames.join(', ') || words.nobody)}
    </dl>
    ${!simulation.isApproved && approval(simulation, view, words)}
    <p><a href=${`${SIMULATIONS_PATH}/${id}/cancel`} aria-label=${words.cancelNamed(name)}>${words.cancel}</a></p>
  </section>`;
}

/** Who approves sees whether a program has scheduled it. */
function schedulerName({ schedulingAdmin, schedulingKey }: OpenSimulation, words: SimulationsWords): string {
  return schedulingAdmin ?? (schedulingKey === null ? words.unknown : words.byKey(schedulingKey));
}

function templatesOf({ templateNames, templateCount }: OpenSimulation, words: SimulationsWords): string {
  const left = templateCount - templateNames.length;
  return [...templateNames, ...(left > 0 ? [words.more(left)] : [])].join(', ');
}

/** What holds it up may be something that a later release has made. */
function stateOf({ status, isApproved, blockedBecause }: OpenSimulation, { states }: SimulationsWords): string {
  if (!isApproved) return states.approval;
  return blockedBecause === 'domain' ? states.domain : states[status];
}

function approval(
  { id, name, approvedBy }: OpenSimulation,
  { adminId, formToken }: SimulationsView,
  words: SimulationsWords,
): Html {
  if (approvedBy.includes(adminId)) return html`<p class="note">${words.approved}</p>`;
  return html`<form method="post" action=${`${SIMULATIONS_PATH}/${id}/approve`}>
    ${hiddenFields(formToken)}
    <button type="submit" aria-label=${words.approveNamed(name)}>${words.approve}</button>
  </form>`;
}

/** Asks before a simulation is cancelled. */
export function cancelContent({ id, name }: OpenSimulation, formToken: string, language: Language): Html {
  const words = simulationsWords[language];
  return html`
    <p>${words.cancelAbout(name)}</p>
    <form method="post" action=${`${SIMULATIONS_PATH}/${id}/cancel`}>
      ${hiddenFields(formToken)}
      <button type="submit">${words.cancelButton}</button>
    </form>
    <p><a href=${SIMULATIONS_PATH}>${words.keep}</a></p>
  `;
}
