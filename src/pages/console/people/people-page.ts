import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { getFormats } from '../overview/figure-formats.ts';
import { figureMessages } from '../overview/figure-messages.ts';
import { dataTable } from '../../shared/parts/table.ts';
import { tiles } from '../../shared/parts/tiles.ts';
import type { FirstRows, Outcome } from '../overview/figures.ts';
import { peopleMessages } from './people-messages.ts';
import { PEOPLE_PATH, toPersonPath } from './people-paths.ts';
import type { OpenTasks, Share, Shares } from './people-reading.ts';

/** Renders the open tasks of the manager's people. */
export function tasksContent({ rows, isCut }: FirstRows<OpenTasks>, language: Language): Html {
  const messages = peopleMessages[language];
  const { number, day } = getFormats(language);
  const overdue = rows.filter((tasks) => tasks.overdue > 0).length;
  const toRow = (tasks: OpenTasks) => {
    return [renderName(tasks.learner), number(tasks.overdue), number(tasks.open), day(tasks.dueOn)];
  };
  return html`
    <p>${messages.about}</p>
    ${
      rows.length === 0
        ? html`<p>${messages.noTasks}</p>`
        : html`<p>${messages.overdue(overdue)}</p>
            ${dataTable({ hasCaption: true, caption: messages.tasks, columns: messages.taskHead, rows: rows.map(toRow) })}`
    }
    ${isCut && html`<p class="hint">${messages.cut}</p>`}
    <p><a href=${PEOPLE_PATH}>${messages.all}</a></p>
  `;
}

/** Renders how many of the manager's people have finished their courses and signed their policies. */
export function sharesContent({ training, policies }: Shares, language: Language): Html {
  const messages = peopleMessages[language];
  return tiles([
    { name: messages.training, value: formatShare(training, language) },
    { name: messages.policies, value: formatShare(policies, language) },
  ]);
}

/** Renders the name of a learner as the header of a row, with a link to the learner's page. */
function renderName({ id, name }: { id: string; name: string }): Html {
  return html`<a href=${toPersonPath(id)}>${name}</a>`;
}

function formatShare(share: Outcome<Share>, language: Language): string {
  if ('missing' in share) return figureMessages[language].missing[share.missing];
  const { completed, all } = share.data;
  const { percent, number } = getFormats(language);
  return all === 0
    ? peopleMessages[language].nothing
    : `${percent(completed, all)} (${number(completed)}/${number(all)})`;
}
