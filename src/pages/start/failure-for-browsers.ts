import type { ApiError } from '../../contract/errors.ts';
import { languageAsked } from '../shared/page-context.ts';
import { sendPlainPage } from '../shared/person-page.ts';
import type { SendFailure } from '../../http/response/error-response.ts';
import { html } from '../../http/html/html.ts';
import { type HostSettings, simulationHostsOf, wantsPage } from './browsers.ts';
import { startWords } from './start-words.ts';

/** Answers failures outside the API with a page if the client is a browser. */
export function failureForBrowsers(config: HostSettings): SendFailure {
  const hosts = simulationHostsOf(config);
  return (req, res, { status }) => {
    if (!wantsPage(req, res, hosts)) return false;
    const language = languageAsked(req);
    res.vary('Accept-Language');
    const words = startWords[language];
    const [title, text] = textsOf(status, words);
    const content = html`
      <p>${text}</p>
      <p><a class="button" href="/">${words.toStart}</a></p>
    `;
    sendPlainPage(res, { status, language, title, content });
    return true;
  };
}

function textsOf(status: ApiError['status'], words: (typeof startWords)['en']): [title: string, text: string] {
  if (status === 404) return [words.missingTitle, words.missing];
  if (status === 429) return [words.tooManyTitle, words.tooMany];
  return status >= 500 ? [words.unavailableTitle, words.unavailable] : [words.refusedTitle, words.refused];
}
