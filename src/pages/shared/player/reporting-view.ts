import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { practiceMessages } from './practice-messages.ts';
import type { Visit } from './visit.ts';

type Reporting = NonNullable<Visit['written']['reporting']>;

/** Renders how the learner reports a suspicious message, in a lesson that teaches it. */
export function renderReportingChannels({ written: { language, reporting } }: Visit): Html {
  const messages = practiceMessages[language];
  if (!reporting) return html`<p class="note">${messages.noChannels}</p>`;
  return renderReporting(reporting, language);
}

/** Renders how people of a company report a suspicious message, from its settings. */
export function renderReporting(reporting: Reporting, language: Language): Html {
  return html`<section class="note" aria-labelledby="reporting">
    <h2 id="reporting">${practiceMessages[language].channels}</h2>
    ${channelList(reporting, language)}
  </section>`;
}

/**
 * Renders the same in a folded section. Many lessons say "the way your organisation has asked you to"; this section of
 * the page explains that way.
 */
export function renderReportingHint({ written: { language, reporting } }: Visit): Html | false {
  if (!reporting) return false;
  return html`<details class="fold">
    <summary>${practiceMessages[language].channels}</summary>
    ${channelList(reporting, language)}
  </details>`;
}

function channelList({ instructions, address, phone }: Reporting, language: Language): Html {
  const messages = practiceMessages[language];
  const entry = (name: string, value: Html) =>
    html`<dt>${name}</dt>
      <dd>${value}</dd>`;
  return html`
    ${instructions !== null && html`<p>${instructions}</p>`}
    <dl>
      ${address !== null && entry(messages.forwardTo, html`<a href=${`mailto:${encodeURIComponent(address)}`}>${address}</a>`)}
      ${phone !== null && entry(messages.call, html`<a href=${`tel:${phone.replace(/[^+\d]/g, '')}`}>${phone}</a>`)}
    </dl>
  `;
}
