import { type Html, html } from '../../../http/html/html.ts';
import { practiceMessages } from './practice-messages.ts';
import type { Visit } from './visit.ts';

/** Renders how the learner reports a suspicious message, from the settings of the company. */
export function renderReportingChannels({ written: { language, reporting } }: Visit): Html {
  const messages = practiceMessages[language];
  if (!reporting) return html`<p class="note">${messages.noChannels}</p>`;
  const { instructions, address, phone } = reporting;
  const entry = (name: string, value: Html) =>
    html`<dt>${name}</dt>
      <dd>${value}</dd>`;
  return html`<section class="note" aria-labelledby="reporting">
    <h2 id="reporting">${messages.channels}</h2>
    ${instructions !== null && html`<p>${instructions}</p>`}
    <dl>
      ${address !== null && entry(messages.forwardTo, html`<a href=${`mailto:${encodeURIComponent(address)}`}>${address}</a>`)}
      ${phone !== null && entry(messages.call, html`<a href=${`tel:${phone.replace(/[^+\d]/g, '')}`}>${phone}</a>`)}
    </dl>
  </section>`;
}
