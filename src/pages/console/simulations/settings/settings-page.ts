import type { Caller } from '../../../../auth/caller.ts';
import type { Schemas } from '../../../../contract/contract.ts';
import type { Language } from '../../../../contract/languages.ts';
import { type Html, html } from '../../../../http/html/html.ts';
import { apiCalls } from '../../../shared/parts/api-calls.ts';
import {
  cutHint,
  type FieldValues,
  formFault,
  hiddenFields,
  textAreaField,
  textField,
} from '../../../shared/parts/fields.ts';
import { dataTable } from '../../../shared/parts/table.ts';
import { facts } from '../../../shared/parts/tiles.ts';
import { canCall } from '../../admin.ts';
import type { FormFaults } from '../../form-faults.ts';
import { getFormats } from '../../overview/figure-formats.ts';
import { settingsMessages } from './settings-messages.ts';

export const SIMULATION_SETTINGS_PATH = '/console/simulations/settings';
export const EXCLUSIONS_PATH = `${SIMULATION_SETTINGS_PATH}/exclusions`;

type Settings = Schemas['SimulationSettings'];
type Domain = Schemas['SimulationDomain'];

export interface SettingsView {
  language: Language;
  caller: Pick<Caller, 'scopes'>;
  formToken: string;
  notice: Html | undefined;
  settings: Settings;
  domains: readonly Domain[];
  /** Whether there are more domains than the page shows. */
  isCut: boolean;
  typed: FieldValues;
  faults: FormFaults;
}

/**
 * Renders the settings that a company completes before it sends simulations. While all simulations are stopped, the
 * page begins with a note that says so.
 */
export function settingsContent(view: SettingsView): Html {
  const { language, notice, faults } = view;
  return html`
    ${notice} ${formFault(faults.whole)} ${view.settings.stopped && stopSection(view)} ${domainsSection(view)}
    ${filtersSection(view)}
    <p><a href=${EXCLUSIONS_PATH}>${settingsMessages[language].exclusions}</a></p>
    ${!view.settings.stopped && stopSection(view)}
    ${apiCalls(
      [
        { operationId: 'updateSimulationSettings' },
        { operationId: 'createSimulationDomain' },
        { operationId: 'verifySimulationDomain' },
      ],
      language,
    )}
  `;
}

function stopSection({ language, formToken, settings }: SettingsView): Html {
  const messages = settingsMessages[language];
  const { stopped, stoppedAt } = settings;
  const day = stoppedAt === null ? '–' : getFormats(language).day(stoppedAt);
  return html`<h2>${messages.stopTitle}</h2>
    <p class=${stopped ? 'warning' : undefined}>${stopped ? messages.stopped(day) : messages.stopAbout}</p>
    <form method="post" action=${`${SIMULATION_SETTINGS_PATH}/${stopped ? 'resume' : 'stop'}`}>
      ${hiddenFields(formToken)}
      <button type="submit">${stopped ? messages.resume : messages.stop}</button>
    </form>`;
}

function domainsSection({ language, caller, formToken, domains, isCut, typed, faults }: SettingsView): Html {
  const messages = settingsMessages[language];
  const toRow = (domain: Domain) => [
    domain.domain,
    html`<code>${domain.recordName}</code>`,
    html`<code>${domain.recordValue}</code>`,
    formatState(domain, language),
    canCall(caller, 'verifySimulationDomain') && lookUpForm(domain, formToken, messages.lookUp),
    canCall(caller, 'deleteSimulationDomain') &&
      html`<a href=${`${SIMULATION_SETTINGS_PATH}/domains/${domain.id}/remove`}>${messages.remove}</a>`,
  ];
  const table = () => dataTable({ caption: messages.domains, columns: messages.domainHead, rows: domains.map(toRow) });
  return html`<h2>${messages.domains}</h2>
    <p>${messages.domainsAbout}</p>
    ${domains.length === 0 ? html`<p>${messages.noDomains}</p>` : table()} ${cutHint(isCut, language)}
    <form method="post" action=${`${SIMULATION_SETTINGS_PATH}/domains`}>
      ${hiddenFields(formToken)}
      ${textField({ name: 'domain', label: messages.domain, also: { required: true } }, typed, faults.fields)}
      <button type="submit">${messages.add}</button>
    </form>`;
}

function formatState({ provedAt, locked }: Domain, language: Language): string {
  const { states } = settingsMessages[language];
  if (!locked) return states.unlocked;
  return provedAt === null ? states.unproved : states.proved(getFormats(language).day(provedAt));
}

function lookUpForm({ id, domain }: Domain, formToken: string, text: string): Html {
  return html`<form method="post" action=${`${SIMULATION_SETTINGS_PATH}/domains/${id}/verify`}>
    ${hiddenFields(formToken)}
    <button type="submit" aria-label=${`${text}: ${domain}`}>${text}</button>
  </form>`;
}

function filtersSection({ language, formToken, settings, typed, faults }: SettingsView): Html {
  const messages = settingsMessages[language];
  const { headerName, headerSecret, senderDomains } = settings;
  const header = headerSecret === null ? messages.noSecret : html`<code>${headerName}: ${headerSecret}</code>`;
  const senders = senderDomains.length === 0 ? messages.noSenders : senderDomains.join(', ');
  const networks = { name: 'scannerNetworks', label: messages.networks, hint: messages.networksHint };
  return html`<h2>${messages.filters}</h2>
    <p>${messages.filtersAbout}</p>
    ${facts([
      [messages.header, header],
      [messages.senders, senders],
    ])}
    ${headerSecret !== null && html`<p><a href=${`${SIMULATION_SETTINGS_PATH}/rotate`}>${messages.rotate}</a></p>`}
    <form method="post" action=${SIMULATION_SETTINGS_PATH}>
      ${hiddenFields(formToken)} ${textAreaField(networks, typed, faults.fields)}
      <button type="submit">${messages.save}</button>
    </form>`;
}
