import type { Caller } from '../../../auth/caller.ts';
import type { Schemas } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { canCall } from '../admin.ts';
import type { FormFaults } from '../form-faults.ts';
import { cutHint, renderDay, formFault, hiddenFields, textField, type FieldValues } from '../../shared/parts/fields.ts';
import { confirmation } from '../../shared/parts/confirmation.ts';
import { dataTable } from '../../shared/parts/table.ts';
import { type SourcesMessages, sourcesMessages } from './sources-messages.ts';

type Source = Schemas['Source'];

export const SOURCES_PATH = '/console/sources';

const KINDS = [
  'gophish',
  'xapi',
  'reported_messages',
] as const satisfies readonly Schemas['CreateSourceInput']['kind'][];

export interface SourcesView {
  language: Language;
  /** The admin, who sees only the actions that the role permits. */
  caller: Pick<Caller, 'scopes'>;
  formToken: string;
  /** One-time id of the form, so that submitting it twice creates only one source. */
  once: string;
  sources: readonly Source[];
  /** Whether there are more sources than the page shows. */
  isCut: boolean;
  typed: FieldValues;
  faults: FormFaults;
}

/** Renders the sources of the company, and the form that creates one. */
export function sourcesContent({ language, caller, sources, isCut, ...form }: SourcesView): Html {
  const messages = sourcesMessages[language];
  const table = () => sourcesTable(sources, { language, caller }, messages);
  return html`
    <p>${messages.about}</p>
    ${sources.length === 0 ? html`<p>${messages.none}</p>` : table()} ${cutHint(isCut, language)}
    ${canCall(caller, 'createSource') && makeForm(form, messages)}
  `;
}

type TableView = Pick<SourcesView, 'language' | 'caller'>;

function sourcesTable(sources: readonly Source[], { language, caller }: TableView, messages: SourcesMessages): Html {
  const heads = [messages.name, messages.kind, messages.made, messages.used];
  const toRow = ({ id, name, kind, createdAt, lastUsedAt }: Source) => [
    name,
    formatKind(kind, messages),
    renderDay(createdAt, language, ''),
    renderDay(lastUsedAt, language, messages.never),
    canCall(caller, 'rotateSourceSecret') && link(`${id}/rotate`, messages.rotate(name), messages.rotateShort),
    canCall(caller, 'deleteSource') && link(`${id}/remove`, messages.remove(name), messages.removeShort),
  ];
  return dataTable({ caption: messages.title, columns: heads, rows: sources.map(toRow) });
}

function link(path: string, label: string, text: string): Html {
  return html`<a href=${`${SOURCES_PATH}/${path}`} aria-label=${label}>${text}</a>`;
}

/** Formats a kind. A kind that is unknown to this release is shown unchanged. */
function formatKind(kind: string, { kinds }: SourcesMessages): string {
  return (kinds as Record<string, string>)[kind] ?? kind;
}

type Form = Pick<SourcesView, 'formToken' | 'once' | 'typed' | 'faults'>;

function makeForm({ formToken, once, typed, faults }: Form, messages: SourcesMessages): Html {
  const name = {
    name: 'name',
    label: messages.name,
    hint: messages.nameHint,
    also: { autocomplete: 'off', required: true },
  };
  const fault = faults.fields.kind;
  return html`<h2 id="make">${messages.makeTitle}</h2>
    <form method="post" action=${SOURCES_PATH}>
      ${hiddenFields(formToken, once)} ${formFault(faults.whole)} ${textField(name, typed, faults.fields)}
      <fieldset aria-describedby=${fault ? 'kind-fault' : undefined}>
        <legend>${messages.kind}</legend>
        ${KINDS.map(
          (kind) =>
            html`<label>
              <input
                type="radio"
                name="kind"
                value=${kind}
                required
                checked=${typed.kind === kind}
              />${messages.kinds[kind]}
            </label>`,
        )}
        ${fault && html`<p class="fault" id="kind-fault" role="alert">${fault}</p>`}
      </fieldset>
      <button type="submit">${messages.make}</button>
    </form>`;
}

/** Renders a secret, which is shown only once. */
export function secretContent(source: Schemas['SourceWithSecret'], language: Language): Html {
  const messages = sourcesMessages[language];
  const { id, name, secret, previousSecretUntil } = source;
  return html`
    <p>${messages.newSecret(name)}</p>
    <dl>
      <dt>${messages.id}</dt>
      <dd><code>${id}</code></dd>
      <dt>${messages.secret}</dt>
      <dd>
        <pre tabindex="0"><code>${secret}</code></pre>
      </dd>
    </dl>
    <p class="warning">${messages.once}</p>
    ${previousSecretUntil !== null && html`<p>${messages.previousUntil} ${renderDay(previousSecretUntil, language, '')}.</p>`}
    <p><a href=${SOURCES_PATH}>${messages.back}</a></p>
  `;
}

/** A page that confirms an action on a source. */
export interface SourceQuestion {
  source: Source;
  action: 'rotate' | 'remove';
  formToken: string;
  /** One-time id of the form of `rotate`. A second rotation would end the previous secret at once. */
  once?: string;
}

export function questionContent({ source, action, formToken, once }: SourceQuestion, language: Language): Html {
  const messages = sourcesMessages[language];
  const isRotation = action === 'rotate';
  const about = isRotation ? messages.rotateAbout(source.name) : messages.removeAbout(source.name);
  return confirmation({
    about,
    action: `${SOURCES_PATH}/${source.id}/${action}`,
    hidden: hiddenFields(formToken, once),
    button: isRotation ? messages.rotateButton : messages.removeButton,
    keep: { href: SOURCES_PATH, text: messages.keep },
  });
}
