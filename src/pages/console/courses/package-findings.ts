import type { Schemas } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { packageNoticeMessages } from './package-notice-messages.ts';

type CoursePackage = Schemas['CoursePackage'];

/** Returns the facts of a package's report: the authoring tool, the features that it uses, and its items. */
export function listFindings(scorm: CoursePackage, language: Language): [string, string | Html][] {
  const messages = packageNoticeMessages[language];
  const { authoringTool: tool, features } = scorm;
  const uses = features.map((feature) => messages.features[feature] ?? feature).join(', ');
  return [
    [messages.tool, html`<bdi>${tool ? `${tool.name} ${tool.version ?? ''}`.trim() : messages.unknownTool}</bdi>`],
    [messages.needs, uses === '' ? messages.nothingSpecial : uses],
    ...(scorm.items.length > 1 ? [[messages.items, renderItems(scorm, language)] as [string, Html]] : []),
  ];
}

function renderItems({ items }: CoursePackage, language: Language): Html {
  const { played } = packageNoticeMessages[language];
  return html`<ul>
    ${items.map(({ title, id, isPlayed }) => html`<li><bdi>${title ?? id ?? '–'}</bdi>${isPlayed && ` (${played})`}</li>`)}
  </ul>`;
}

/** Renders the notices of a package. */
export function renderNotices({ notices }: CoursePackage, language: Language): Html {
  const messages = packageNoticeMessages[language];
  const line = ({ code, message, details }: CoursePackage['notices'][number]) =>
    html`<li>
      ${messages.notices[code] ?? message}
      ${details.map((detail, index) => html`${index > 0 && ', '}<bdi>${detail}</bdi>`)}
    </li>`;
  return html`<h3>${messages.noticesTitle}</h3>
    ${
      notices.length === 0
        ? html`<p>${messages.noNotices}</p>`
        : html`<ul>
            ${notices.map(line)}
          </ul>`
    }`;
}
