import type { Request, Response } from 'express';
import type { Caller } from '../../../auth/caller.ts';
import type { Schemas } from '../../../contract/contract.ts';
import { html } from '../../../http/html/html.ts';
import { canCall, getAdmin } from '../admin.ts';
import { sendConsolePage } from '../console-page.ts';
import type { ConsoleRuns } from '../console-runs.ts';
import type { FigureReader } from '../overview/figures.ts';
import { placesMessages } from '../places-messages.ts';
import { sharesContent } from './people-page.ts';
import { peopleListContent } from './people-list-page.ts';
import { SEARCH_PAGE } from './people-paths.ts';
import { type PeopleQuery, readPeopleQuery, toListInput } from './people-query.ts';
import { countSignaturesFor, readShares } from './people-reading.ts';

/** Shows a page of the list of people that the address requests. A manager also sees the figures of their people. */
export async function showPeople(runs: ConsoleRuns, reader: FigureReader, req: Request, res: Response): Promise<void> {
  const { caller, language } = getAdmin(res);
  const query = readPeopleQuery(req, caller);
  const isManager = caller.isManager === true;
  const [page, groups, shares] = await Promise.all([
    readPage(runs, caller, query),
    readGroups(runs, caller),
    isManager ? readShares(reader, countSignaturesFor(res)) : undefined,
  ]);
  const list = peopleListContent({ language, isManager, query, groups, ...page });
  sendConsolePage(res, {
    title: placesMessages[language][isManager ? 'yourPeople' : 'people'],
    content: html`${shares && page.people.length > 0 && sharesContent(shares, language)} ${list}`,
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
