import type { Request, Response } from 'express';
import type { Caller } from '../../../auth/caller.ts';
import type { Schemas } from '../../../contract/contract.ts';
import { html } from '../../../http/html/html.ts';
import { renderNotice } from '../../shared/parts/notice.ts';
import { canCall, getAdmin } from '../admin.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import type { ReportReader } from '../overview/figures.ts';
import { placesMessages } from '../places-messages.ts';
import { actionsMessages } from './actions-messages.ts';
import { actionBoxes, actionsForm } from './actions-page.ts';
import { importsMessages } from './imports/imports-messages.ts';
import { IMPORTS_PATH } from './imports/imports-page.ts';
import { listActions } from './people-actions.ts';
import { sharesContent } from './people-page.ts';
import { peopleListContent } from './people-list-page.ts';
import { SEARCH_PAGE } from './people-paths.ts';
import { type PeopleQuery, readPeopleQuery, toListInput } from './people-query.ts';
import { readShares } from './people-reading.ts';

/** Shows the page of the list of people that the URL requests. A manager also sees the figures of their people. */
export async function showPeople(runs: ConsoleRuns, reader: ReportReader, req: Request, res: Response): Promise<void> {
  const { caller, language } = getAdmin(res);
  const query = readPeopleQuery(req, caller);
  const isManager = caller.isManager === true;
  const [page, groups, shares] = await Promise.all([
    readPage(runs, caller, query),
    readGroups(runs, caller),
    isManager ? readShares(reader, res) : undefined,
  ]);
  const offered = listActions(caller);
  const actions = offered.length > 0 && {
    selection: actionBoxes(page.people, language),
    form: actionsForm(offered, query.filters, language),
  };
  const list = peopleListContent({ language, isManager, query, groups, ...page, ...(actions && { actions }) });
  sendConsolePage(res, {
    title: placesMessages[language][isManager ? 'yourPeople' : 'people'],
    content: html`${renderNotice(req, { done: (count) => actionsMessages[language].done(count, String(count)) })}
    ${canCall(caller, 'createLearnerImport') && html`<p class="links"><a href=${IMPORTS_PATH}>${importsMessages[language].link}</a></p>`}
    ${shares && page.people.length > 0 && sharesContent(shares, language)} ${list}`,
    width: 'wide',
    ...SEARCH_PAGE,
  });
}

async function readPage(runs: ConsoleRuns, caller: Caller, { filters, cursor }: PeopleQuery) {
  const input = await toListInput(runs, caller, filters);
  if (input === undefined) return { people: [], nextCursor: null, isManagerUnknown: true, call: {} };
  const { items: people, nextCursor } = await runs.page('listLearners', caller, input, cursor);
  const call = Object.entries(input).map(([name, value]) => [name, String(value)] as const);
  return { people, nextCursor, isManagerUnknown: false, call: { ...Object.fromEntries(call), limit: '50' } };
}

/** Reads the first groups of the company; none if the role cannot read them. */
export async function readGroups(
  runs: ConsoleRuns,
  caller: Caller,
): Promise<readonly Pick<Schemas['GroupListItem'], 'id' | 'name'>[]> {
  return canCall(caller, 'listGroups') ? (await runs.first('listGroups', caller)).items : [];
}
