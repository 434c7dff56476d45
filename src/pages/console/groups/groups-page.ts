import type { Caller } from '../../../auth/caller.ts';
import type { Schemas } from '../../../contract/contract.ts';
import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { apiCalls } from '../../shared/parts/api-calls.ts';
import { confirmation } from '../../shared/parts/confirmation.ts';
import { emptyState } from '../../shared/parts/empty-state.ts';
import { type FieldValues, formFault, hiddenFields, textAreaField, textField } from '../../shared/parts/fields.ts';
import { cursorLinks } from '../../shared/parts/page-links.ts';
import { dataTable } from '../../shared/parts/table.ts';
import { canCall } from '../admin.ts';
import type { FormFaults } from '../form-faults.ts';
import { getFormats } from '../overview/figure-formats.ts';
import { PEOPLE_PATH } from '../people/people-paths.ts';
import { groupsMessages } from './groups-messages.ts';

export const GROUPS_PATH = '/console/groups';

/** Number of managers that the list names. */
const NAMED_MANAGERS = 3;

export const toGroupPath = (groupId: string, rest = ''): string => `${GROUPS_PATH}/${groupId}${rest}`;

interface GroupForm {
  language: Language;
  caller: Pick<Caller, 'scopes'>;
  formToken: string;
  notice: Html | undefined;
  typed: FieldValues;
  faults: FormFaults;
}

export interface GroupsView extends GroupForm {
  groups: readonly Schemas['GroupListItem'][];
  cursor: string | undefined;
  nextCursor: string | null;
  /** One-time id of the form, so that submitting it twice creates only one group. */
  once: string;
}

/** Renders a page of the groups, and the form that creates one. */
export function groupsContent({ language, caller, notice, groups, cursor, nextCursor, ...form }: GroupsView): Html {
  const messages = groupsMessages[language];
  const { number } = getFormats(language);
  const [name, people, managers] = messages.columns;
  const toRow = (group: (typeof groups)[number]) => [
    html`<a href=${toGroupPath(group.id)}><bdi>${group.name}</bdi></a>`,
    number(group.learnerCount),
    nameManagers(group.managers),
  ];
  const columns = [name, { name: people, isNumber: true }, managers];
  return html`
    ${notice}
    <p>${messages.about}</p>
    ${
      groups.length === 0
        ? emptyState(messages.none)
        : dataTable({ caption: messages.title, columns, rows: groups.map(toRow) })
    }
    ${cursorLinks({ label: messages.pages, path: GROUPS_PATH, values: {}, cursor, nextCursor }, language)}
    ${canCall(caller, 'createGroup') && createForm(form, language)}
    ${apiCalls([{ operationId: 'listGroups' }, { operationId: 'createGroup' }], language)}
  `;
}

function nameManagers(managers: Schemas['GroupListItem']['managers']): Html {
  const named = managers.slice(0, NAMED_MANAGERS).map(({ name }) => name);
  const rest = managers.length - named.length;
  return html`<bdi>${named.join(', ')}${rest > 0 && ` + ${rest}`}</bdi>`;
}

type CreateForm = Pick<GroupsView, 'formToken' | 'once' | 'typed' | 'faults'>;

function createForm({ formToken, once, typed, faults }: CreateForm, language: Language): Html {
  const messages = groupsMessages[language];
  const name = { name: 'name', label: messages.name, also: { required: true, autocomplete: 'off' } };
  return html`<h2>${messages.create}</h2>
    <form method="post" action=${GROUPS_PATH}>
      ${hiddenFields(formToken, once)} ${formFault(faults.whole)} ${textField(name, typed, faults.fields)}
      <button type="submit">${messages.createButton}</button>
    </form>`;
}

export interface GroupView extends GroupForm {
  group: Pick<Schemas['Group'], 'id' | 'name' | 'learnerCount' | 'managers'>;
  /** The version of the group that the form changes. */
  version: string;
}

/** Renders a group: a link to its members in the list of people, its managers, and the forms that the role permits. */
export function groupContent(view: GroupView): Html {
  const { language, caller, notice, group } = view;
  const messages = groupsMessages[language];
  const path = { groupId: group.id };
  return html`
    ${notice}
    <p><a href=${GROUPS_PATH}>${messages.back}</a></p>
    <p class="links">
      <a href=${`${PEOPLE_PATH}?groupId=${group.id}`}>${messages.people(group.learnerCount)}</a>${' '}
      ${canCall(caller, 'addGroupLearners') && html`<a href=${PEOPLE_PATH}>${messages.addPeople}</a>`}
    </p>
    ${canCall(caller, 'updateGroup') ? editForm(view) : managersList(group.managers, language)}
    ${
      canCall(caller, 'deleteGroup') &&
      html`<p><a href=${toGroupPath(group.id, '/delete')}>${messages.deleteLink}</a></p>`
    }
    ${apiCalls(
      [
        { operationId: 'getGroup', path },
        { operationId: 'updateGroup', path },
        { operationId: 'setGroupManagers', path },
        { operationId: 'addGroupLearners', path },
      ],
      language,
    )}
  `;
}

function managersList(managers: GroupView['group']['managers'], language: Language): Html {
  return html`<h2>${groupsMessages[language].managers}</h2>
    <ul>
      ${managers.map(({ name }) => html`<li><bdi>${name}</bdi></li>`)}
    </ul>`;
}

function editForm({ language, formToken, group, version, typed, faults }: GroupView): Html {
  const messages = groupsMessages[language];
  const name = { name: 'name', label: messages.name, also: { required: true, autocomplete: 'off' } };
  const managers = { name: 'managers', label: messages.managers, hint: messages.managersHint };
  return html`<h2>${messages.edit}</h2>
    <form method="post" action=${toGroupPath(group.id)}>
      ${hiddenFields(formToken)}
      <input type="hidden" name="version" value=${version} />
      ${formFault(faults.whole)} ${textField(name, typed, faults.fields)}
      ${textAreaField(managers, typed, faults.fields)}
      <button type="submit">${messages.save}</button>
    </form>`;
}

/** Renders the page that confirms the deletion of a group. */
export function deleteContent({
  group,
  formToken,
  version,
  language,
}: Pick<GroupView, 'group' | 'formToken' | 'version' | 'language'>): Html {
  const messages = groupsMessages[language];
  return confirmation({
    about: html`<p><bdi>${group.name}</bdi>: ${messages.people(group.learnerCount)}</p>
      <p>${messages.deleteAbout}</p>`,
    action: toGroupPath(group.id, '/delete'),
    hidden: html`${hiddenFields(formToken)}<input type="hidden" name="version" value=${version} />`,
    button: messages.deleteButton,
    keep: { href: toGroupPath(group.id), text: messages.keep },
  });
}
