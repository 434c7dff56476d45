import type { Schemas } from '../../../../contract/contract.ts';
import { type Language, LANGUAGES } from '../../../../contract/languages.ts';
import { type Html, html } from '../../../../http/html/html.ts';
import { apiCalls } from '../../../shared/parts/api-calls.ts';
import { emptyState } from '../../../shared/parts/empty-state.ts';
import { hiddenFields, type SelectItem } from '../../../shared/parts/fields.ts';
import { filterBar } from '../../../shared/parts/filter-bar.ts';
import { cueList, mailPicture } from '../../../shared/parts/mail-picture.ts';
import { mailPictureMessages } from '../../../shared/parts/mail-picture-messages.ts';
import { pageLinks } from '../../../shared/parts/page-links.ts';
import { facts } from '../../../shared/parts/tiles.ts';
import { type TemplatesMessages, templatesMessages } from './templates-messages.ts';

export const TEMPLATES_PATH = '/console/simulations/templates';

type Item = Schemas['SimulationTemplateListItem'];

export interface ListView {
  language: Language;
  templates: readonly Item[];
  filter: Readonly<Record<string, string>>;
  /** Paths of the first and the next page of the list; undefined if there are none. */
  next: string | undefined;
  first: string | undefined;
  canWrite: boolean;
  notice: Html | undefined;
}

/** Renders the templates with pictures of their messages. */
export function listContent({ language, templates, filter, next, first, canWrite, notice }: ListView): Html {
  const messages = templatesMessages[language];
  const query = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== ''));
  return html`
    ${notice}
    <p>${messages.about}</p>
    ${canWrite && html`<p><a class="button" href=${`${TEMPLATES_PATH}/new`}>${messages.newTemplate}</a></p>`}
    ${filters(filter, messages)}
    ${
      templates.length === 0
        ? emptyState(messages.none)
        : html`<ul class="cards">
            ${templates.map((template) => card(template, messages))}
          </ul>`
    }
    ${pageLinks({
      label: messages.pages,
      first: first !== undefined && { href: first, text: messages.first },
      next: next !== undefined && { href: next, text: messages.next },
    })}
    ${apiCalls([{ operationId: 'listSimulationTemplates', query }], language)}
  `;
}

function filters(values: ListView['filter'], messages: TemplatesMessages): Html {
  const all: SelectItem = ['', messages.all];
  return filterBar({
    action: TEMPLATES_PATH,
    label: messages.filters,
    filters: [
      { name: 'deliveryMethod', label: messages.method, options: [all, ...Object.entries(messages.methods)] },
      {
        name: 'difficulty',
        label: messages.difficulty,
        options: [all, ...['1', '2', '3', '4', '5'].map((level): SelectItem => [level, level])],
      },
      { name: 'locale', label: messages.language, options: [all, ...Object.entries(messages.languageNames)] },
      {
        name: 'includeRetired',
        label: messages.showRetired,
        options: [
          ['', '–'],
          ['true', messages.showRetired],
        ],
      },
    ],
    values,
    apply: messages.apply,
    reset: messages.reset,
  });
}

/** Renders a template. The picture is in a frame that runs no scripts, and screen readers read only its name. */
function card({ id, name, deliveryMethod, difficulty, locales, source, retiredAt }: Item, m: TemplatesMessages): Html {
  const about = [
    m.difficultyOf(String(difficulty)),
    nameMethod(deliveryMethod, m),
    formatLanguages(locales, m),
    nameSource(source, m),
    ...(retiredAt === null ? [] : [m.retired]),
  ];
  return html`<li>
    <iframe
      src=${`${TEMPLATES_PATH}/${id}/picture`}
      title=${name}
      aria-hidden="true"
      tabindex="-1"
      loading="lazy"
      sandbox="allow-same-origin"
    ></iframe>
    <a href=${`${TEMPLATES_PATH}/${id}`}>${name}</a>
    <p class="quiet">${about.join(' · ')}</p>
  </li>`;
}

function nameMethod(method: string, { methods }: TemplatesMessages): string {
  return methods[method as keyof typeof methods] ?? method;
}

function nameSource(source: string, { sources }: TemplatesMessages): string {
  return sources[source as keyof typeof sources] ?? source;
}

function formatLanguages(locales: readonly string[], { languageNames }: TemplatesMessages): string {
  return locales.map((locale) => languageNames[locale as Language] ?? locale).join(', ');
}

export interface TemplateView {
  language: Language;
  formToken: string;
  template: Schemas['SimulationTemplate'];
  picture: Schemas['SimulationTemplatePicture'];
  canPlan: boolean;
  canWrite: boolean;
  canDelete: boolean;
  notice: Html | undefined;
}

/** Renders a template with its message, cues and lesson in one language. */
export function templateContent({
  language,
  formToken,
  template,
  picture,
  canWrite,
  canPlan,
  canDelete,
  notice,
}: TemplateView): Html {
  const messages = templatesMessages[language];
  const { id, deliveryMethod, difficulty, locales, source, retiredAt } = template;
  const locale = picture.locale as Language;
  const path = `${TEMPLATES_PATH}/${id}`;
  const other = LANGUAGES.filter((one) => !locales.includes(one));
  const isOwn = source === 'custom';
  return html`
    ${notice}
    <p><a href=${TEMPLATES_PATH}>${messages.backToList}</a></p>
    ${facts([
      [messages.difficulty, messages.difficultyOf(String(difficulty))],
      [messages.method, nameMethod(deliveryMethod, messages)],
      [messages.source, nameSource(source, messages)],
      retiredAt !== null && [messages.retired, retiredAt.slice(0, 10)],
    ])}
    <nav aria-label=${messages.languages} class="pages">
      ${locales.map(
        (one) =>
          html`<a href=${`${path}?locale=${one}`} aria-current=${one === locale ? 'true' : undefined}
            >${formatLanguages([one], messages)}</a
          >`,
      )}
    </nav>
    <h2>${messages.picture}</h2>
    ${mailPicture(picture, { messages: mailPictureMessages[language], language: locale })}
    <h2>${messages.cues}</h2>
    ${cueList(picture.cues, mailPictureMessages[language])}
    <h2>${messages.lesson}</h2>
    <div lang=${locale}>${picture.lesson.split(/\n\s*\n/).map((paragraph) => html`<p>${paragraph}</p>`)}</div>
    <div class="actions">
      ${canPlan && html`<a class="button" href=${`/console/simulations/new?template=${id}`}>${messages.plan}</a>`}
      ${canWrite && isOwn && html`<a class="button" href=${`${path}/edit?locale=${locale}`}>${messages.edit(messages.languageNames[locale])}</a>`}
      ${canWrite && isOwn && other.map((one) => html`<a class="button quiet" href=${`${path}/edit?locale=${one}`}>${messages.addLanguage(messages.languageNames[one])}</a>`)}
      ${canWrite && html`<a class="button quiet" href=${`${TEMPLATES_PATH}/new?from=${id}&locale=${locale}`}>${messages.copy}</a>`}
      ${
        canWrite &&
        isOwn &&
        html`<form method="post" action=${`${path}/${retiredAt === null ? 'retire' : 'restore'}`}>
          ${hiddenFields(formToken)}
          <button class="quiet" type="submit">${retiredAt === null ? messages.retire : messages.restore}</button>
        </form>`
      }
      ${canDelete && isOwn && html`<a class="button quiet" href=${`${path}/delete`}>${messages.remove}</a>`}
    </div>
    ${apiCalls([{ operationId: 'getSimulationTemplatePicture', path: { simulationTemplateId: id }, query: { locale } }], language)}
  `;
}
