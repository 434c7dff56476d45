import { type Language, toLanguage } from '../../contract/languages.ts';
import { html } from '../../http/html/html.ts';
import { page, pageHeaders } from '../../http/html/page.ts';
import type { AdminSetup } from '../../identity/setup-links.ts';
import type { NameFaults } from '../../contract/person-operations.ts';
import { setupMessages } from './setup-messages.ts';

/** Headers of the page, in addition to those of every response. They let the form be sent only to this service. */
export const SETUP_PAGE_HEADERS = pageHeaders({ formAction: "'self'", referrerPolicy: 'no-referrer' });

export interface SetupNames {
  firstName: string;
  lastName: string;
}

/** Renders the form in which an invited admin confirms the name, with the faults of the last attempt. */
export function setupForm(setup: AdminSetup, names: SetupNames, faults: NameFaults): string {
  const language = toLanguage(setup.locale);
  const messages = setupMessages[language];
  const field = (name: keyof SetupNames, autocomplete: string) => {
    const fault = faults[name] && messages.faults[faults[name]];
    const faultId = `${name}-fault`;
    const described = fault && { 'aria-invalid': 'true', 'aria-describedby': faultId };
    return html`
      <label for=${name}>${messages[name]}</label>
      <input id=${name} name=${name} value=${names[name]} autocomplete=${autocomplete} required ...${described} />
      ${fault && html`<p class="fault" id=${faultId} role="alert">${fault}</p>`}
    `;
  };
  const content = html`
    <p>${messages.invitation(setup.companyName)}</p>
    <form method="post">
      <dl>
        <dt>${messages.email}</dt>
        <dd>${setup.email}</dd>
      </dl>
      ${field('firstName', 'given-name')} ${field('lastName', 'family-name')}
      <button type="submit">${messages.submit}</button>
    </form>
  `;
  return page({ language, title: messages.title, content });
}

export function setupDonePage({ locale, companyName }: AdminSetup): string {
  const language = toLanguage(locale);
  const messages = setupMessages[language];
  const content = html`
    <p>${messages.done(companyName)}</p>
    <p><a class="button" href="/console">${messages.toConsole}</a></p>
  `;
  return page({ language, title: messages.doneTitle, content });
}

/** Renders an error page in the browser's language, because the invited person is unknown. */
export function setupFailurePage(status: number, language: Language): string {
  const messages = setupMessages[language];
  const [title, text] =
    status === 404
      ? [messages.invalidLinkTitle, messages.invalidLink]
      : status === 429
        ? [messages.tooManyTitle, messages.tooMany]
        : status >= 500
          ? [messages.unavailableTitle, messages.unavailable]
          : [messages.refusedTitle, messages.refused];
  return page({ language, title, content: html`<p>${text}</p>` });
}
