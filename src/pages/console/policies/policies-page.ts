import type { Schemas } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { apiCalls } from '../../shared/parts/api-calls.ts';
import { emptyState } from '../../shared/parts/empty-state.ts';
import type { FieldValues } from '../../shared/parts/fields.ts';
import { filterBar } from '../../shared/parts/filter-bar.ts';
import { cursorLinks } from '../../shared/parts/page-links.ts';
import { dataTable } from '../../shared/parts/table.ts';
import { getFormats } from '../overview/figure-formats.ts';
import { policiesMessages } from './policies-messages.ts';

type Figures = Schemas['PolicyFigures'];

export const POLICIES_PATH = '/console/policies';

export const STATES = ['live', 'draft'] as const;

export interface PoliciesView {
  language: Language;
  notice: Html | undefined;
  /** The active filters, in the form that the operation takes. */
  filter: Record<string, string>;
  policies: readonly Figures[];
  cursor: string | undefined;
  nextCursor: string | null;
  canCreate: boolean;
}

/** Renders a page of the list of policies. */
export function policiesContent({ language, filter, policies, cursor, nextCursor, ...view }: PoliciesView): Html {
  const messages = policiesMessages[language];
  const isEmpty = policies.length === 0;
  const isFiltered = Object.keys(filter).length > 0;
  const create = view.canCreate && { href: `${POLICIES_PATH}/new`, text: messages.create };
  return html`
    ${view.notice}
    <p>${messages.about}</p>
    ${
      create &&
      html`<p>
        ${!(isEmpty && !isFiltered) && html`<a class="button" href=${create.href}>${create.text}</a> `}
        <a class="button quiet" href=${`${POLICIES_PATH}/from-template`}>${messages.fromTemplate}</a>
      </p>`
    }
    ${(isFiltered || !isEmpty || cursor !== undefined) && filters(filter, language)}
    ${
      isEmpty
        ? emptyState(isFiltered ? messages.noMatch : messages.none, !isFiltered && create)
        : policiesTable(policies, language)
    }
    ${cursorLinks({ label: messages.pages, path: POLICIES_PATH, values: filter, cursor, nextCursor }, language)}
    ${apiCalls([{ operationId: 'getPolicyReport', query: filter }], language)}
  `;
}

function filters(values: FieldValues, language: Language): Html {
  const messages = policiesMessages[language];
  const states = STATES.map((state) => [state, messages.filterStates[state]] as const);
  return filterBar({
    action: POLICIES_PATH,
    label: messages.filters,
    filters: [
      { name: 'nameContains', label: messages.name },
      { name: 'policyState', label: messages.state, options: [['', messages.all], ...states] },
    ],
    values,
    apply: messages.apply,
    reset: messages.reset,
  });
}

function policiesTable(policies: readonly Figures[], language: Language): Html {
  const messages = policiesMessages[language];
  const { number } = getFormats(language);
  const toNumber = (name: string) => ({ name, isNumber: true });
  return dataTable({
    caption: messages.title,
    columns: [
      messages.name,
      messages.state,
      ...[messages.version, messages.versionCount, messages.signed].map(toNumber),
    ],
    rows: policies.map((policy) => [
      html`<a href=${toPolicyPath(policy.policyId)}><bdi>${policy.name}</bdi></a>`,
      messages.states[toState(policy)],
      policy.isLive ? formatVersion(policy) : '–',
      number(policy.versionCount),
      policy.assignedCount === 0 ? '–' : messages.share(number(policy.signedCount), number(policy.assignedCount)),
    ]),
  });
}

export function toPolicyPath(policyId: string, rest = ''): string {
  return `${POLICIES_PATH}/${policyId}${rest}`;
}

/** Returns the state of a policy, as a key of the texts. */
export function toState({ isLive, inDraft }: Pick<Figures, 'isLive' | 'inDraft'>) {
  if (isLive) return inDraft ? 'liveWithDraft' : 'live';
  return inDraft ? 'draft' : 'empty';
}

export function formatVersion({ majorVersion, minorVersion }: Pick<Figures, 'majorVersion' | 'minorVersion'>): string {
  return `${majorVersion}.${minorVersion}`;
}
