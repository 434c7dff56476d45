import type { Request } from 'express';
import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';
import { apiCalls } from '../../shared/parts/api-calls.ts';
import { calendar } from '../../shared/parts/calendar.ts';
import { confirmation } from '../../shared/parts/confirmation.ts';
import { emptyState } from '../../shared/parts/empty-state.ts';
import {
  checkField,
  choicesField,
  fileField,
  formFault,
  hiddenFields,
  selectField,
  textAreaField,
  textField,
} from '../../shared/parts/fields.ts';
import { filterBar } from '../../shared/parts/filter-bar.ts';
import { cueList, mailPicture } from '../../shared/parts/mail-picture.ts';
import { mailPictureMessages } from '../../shared/parts/mail-picture-messages.ts';
import { renderNotice } from '../../shared/parts/notice.ts';
import { pageLinks } from '../../shared/parts/page-links.ts';
import { dataTable } from '../../shared/parts/table.ts';
import { facts, tiles } from '../../shared/parts/tiles.ts';
import { figure } from '../overview/figure-frame.ts';
import { barChart } from '../overview/charts/bar-chart.ts';

const LEVELS = [
  ['', 'All'],
  ['low', 'Low'],
  ['high', 'High'],
] as const;

/** A name that is one long word, to show how tables on a phone handle it. */
const LONG_NAME = 'Bundesausbildungsförderungsgesetzesänderungsbeauftragter';

interface PartsView {
  /** The query of the page, which can name a notice. */
  query: Request['query'];
  formToken: string;
  language: Language;
}

/** Renders each part of the console once. The page is for developers, so it is in English. */
export function partsContent({ query, formToken, language }: PartsView): Html {
  const part = (name: string, file: string, content: unknown) =>
    html`<h2>${name}</h2>
      <p class="hint"><code>src/pages/shared/parts/${file}</code></p>
      ${content}`;
  return html`
    <p>Every page of the console is made of these parts. A page that needs another part adds it here.</p>
    ${part('Notice', 'notice.ts', renderNotice({ query: { notice: 'saved', ...query } }, { saved: 'The changes have been saved.' }))}
    ${part(
      'Key numbers',
      'tiles.ts',
      tiles([
        { name: 'Learners', value: '1,204', href: '/console/parts' },
        { name: 'Training', value: '87%' },
      ]),
    )}
    ${part(
      'Facts',
      'tiles.ts',
      facts([
        ['Starts', '1 December 2026'],
        ['Due', '15 December 2026'],
      ]),
    )}
    ${part('Filter bar', 'filter-bar.ts', filters())} ${part('Table', 'table.ts', table())}
    ${part(
      'Calendar',
      'calendar.ts',
      calendar(
        [
          { day: '2026-12-01', texts: ['Messages: 1,204'] },
          { day: '2026-12-15', texts: ['Messages: 310', 'Due: 1,204'] },
        ],
        language,
      ),
    )}
    ${part('Page links', 'page-links.ts', pageLinks({ label: 'People', first: { href: '/console/parts', text: 'First page' }, next: { href: '/console/parts', text: 'Next page' } }))}
    ${part('Empty state', 'empty-state.ts', emptyState('There are no campaigns yet.', { href: '/console/parts', text: 'Plan a campaign' }))}
    ${part('Form', 'fields.ts', form(formToken))} ${part('Confirmation', 'confirmation.ts', question(formToken))}
    ${part('API calls', 'api-calls.ts', apiCalls([{ operationId: 'listLearners', query: { limit: '50' } }], language))}
    ${part('Mail with marks', 'mail-picture.ts', exampleMail(language))}
    <h2>Figure</h2>
    <p class="hint"><code>src/pages/console/overview/figure-frame.ts</code></p>
    ${exampleFigure(language)}
  `;
}

function filters(): Html {
  return filterBar({
    action: '/console/parts',
    label: 'Filters',
    filters: [
      { name: 'search', label: 'Name or address' },
      { name: 'level', label: 'Risk', options: LEVELS },
      { name: 'since', label: 'Since', type: 'date' },
    ],
    values: { search: 'radia' },
    more: html`<details>
      <summary>Choose columns</summary>
      ${choicesField({ name: 'columns', label: 'Columns', options: LEVELS.slice(1) }, ['low'], {})}
    </details>`,
    apply: 'Apply',
    reset: 'Show all',
  });
}

function table(): Html {
  return dataTable({
    caption: 'People',
    columns: [
      { name: 'Name', sort: { href: '/console/parts?sort=name', order: 'ascending' } },
      'Department',
      { name: 'Overdue', isNumber: true },
    ],
    rows: [
      ['Radia Perlman', 'Networks', '2', html`<a href="/console/parts">Remind</a>`],
      [LONG_NAME, '–', '1,024', null],
    ],
    selection: {
      form: 'example-form',
      field: 'learnerId',
      boxes: [
        { value: '1', label: 'Select Radia Perlman', isChecked: true },
        { value: '2', label: `Select ${LONG_NAME}` },
      ],
    },
  });
}

function form(formToken: string): Html {
  const faults = { name: 'A campaign with this name exists. Enter another name.' };
  const typed = { name: 'Spring', level: 'low', remind: 'yes' };
  return html`<form id="example-form" method="post" action="/console/parts">
    ${hiddenFields(formToken)} ${formFault('The campaign has not been saved.')}
    ${textField({ name: 'name', label: 'Name', hint: 'Only admins see it.', also: { required: true } }, typed, faults)}
    ${textAreaField({ name: 'note', label: 'Note' }, typed, faults)}
    ${fileField({ name: 'file', label: 'PDF file', hint: 'At most 25 MiB.' }, faults)}
    ${selectField({ name: 'level', label: 'Risk', options: LEVELS }, typed, faults)}
    ${checkField({ name: 'remind', label: 'Remind people who are late' }, typed)}
    ${choicesField(
      {
        name: 'groups',
        label: 'Groups',
        options: [
          ['1', 'Networks'],
          ['2', 'Sales'],
        ],
      },
      ['2'],
      {},
    )}
    <button type="submit">Save</button>
  </form>`;
}

function question(formToken: string): Html {
  return confirmation({
    about: 'The campaign ends for 1,204 people. Finished results are kept.',
    action: '/console/parts',
    hidden: hiddenFields(formToken),
    button: 'End the campaign',
    keep: { href: '/console/parts', text: 'Leave it running' },
  });
}

function exampleMail(language: Language): Html {
  const messages = mailPictureMessages[language];
  const mark = '<mark id="mark-1" tabindex="-1">today<sup><a href="#cue-1" role="doc-noteref">1</a></sup></mark>';
  const mail = {
    ...{ senderNameHtml: 'Parcel service', senderAddressHtml: 'notice@sender.example', attachment: null },
    ...{ subjectHtml: `Your parcel goes back ${mark}`, bodyHtml: '<p>Hello Alex,</p><p>Please hurry.</p>' },
    cues: [{ text: '“today” is meant to make you hurry.', isMarked: true }],
  };
  return html`${mailPicture(mail, { messages, language: 'en' })} ${cueList(mail.cues, messages)}`;
}

function exampleFigure(language: Language): Html {
  const bars = [{ name: 'Networks', bars: [{ color: 1 as const, share: 0.87, text: '87%' }] }];
  return figure(language, {
    title: 'Training by group',
    text: 'Networks has finished 87% of its training.',
    pictures: barChart('Training by group', bars),
    table: { caption: 'Training by group', columns: ['Group', 'Finished'], rows: [['Networks', '87%']] },
    call: { operationId: 'getGroupReport' },
  });
}
