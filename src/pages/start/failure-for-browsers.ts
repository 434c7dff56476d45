import type { ApiError } from '../../contract/errors.ts';
import { languageAsked } from '../shared/page-context.ts';
import { sendPlainPage } from '../shared/person-page.ts';
import type { SendFailure } from '../../http/response/error-response.ts';
import { html } from '../../http/html/html.ts';
import { type HostSettings, listSimulationHosts, wantsPage } from './browsers.ts';
import { startMessages } from './start-messages.ts';

/** Responds to errors outside the API with a page if the client is a browser. */
export function failureForBrowsers(config: HostSettings): SendFailure {
  const hosts = listSimulationHosts(config);
  return (req, res, { status }) => {
    if (!wantsPage(req, res, hosts)) return false;
    const language = languageAsked(req);
    res.vary('Accept-Language');
    const messages = startMessages[language];
    const [title, text] = selectTexts(status, messages);
    const content = html`
      <p>${text}</p>
      <p><a class="button" href="/">${messages.toStart}</a></p>
    `;
    sendPlainPage(res, { status, language, title, content });
    return true;
  };
}

function selectTexts(
  status: ApiError['status'],
  messages: (typeof startMessages)['en'],
): [title: string, text: string] {
  if (status === 404) return [messages.missingTitle, messages.missing];
  if (status === 429) return [messages.tooManyTitle, messages.tooMany];
  return status >= 500 ? [messages.unavailableTitle, messages.unavailable] : [messages.refusedTitle, messages.refused];
}
