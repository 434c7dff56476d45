import type { Language } from '../../../contract/languages.ts';
import { type Html, html } from '../../../http/html/html.ts';

/** A day of a calendar, such as `2026-12-01`, and its events. */
export interface CalendarDay {
  day: string;
  texts: readonly string[];
}

const DAY_MS = 86_400_000;
/** Any Monday; formatting it and the following days yields the names of the weekdays. */
const MONDAY = Date.UTC(2026, 0, 5);

/** Renders each month that has a day with content as a table with a column for each weekday, starting on Monday. */
export function calendar(days: readonly CalendarDay[], language: Language): Html {
  const textsOf = new Map(days.map(({ day, texts }) => [day, texts]));
  const months = [...new Set(days.map(({ day }) => day.slice(0, 7)))].toSorted();
  return html`${months.map((month) => renderMonth(month, textsOf, language))}`;
}

function renderMonth(month: string, textsOf: ReadonlyMap<string, readonly string[]>, language: Language): Html {
  const locale = language === 'en' ? 'en-GB' : language;
  const format = (options: Intl.DateTimeFormatOptions, time: number) =>
    new Intl.DateTimeFormat(locale, { ...options, timeZone: 'UTC' }).format(time);
  const first = Date.parse(`${month}-01`);
  const title = format({ month: 'long', year: 'numeric' }, first);
  const heading = (index: number) => {
    const day = MONDAY + index * DAY_MS;
    return html`<th scope="col" abbr=${format({ weekday: 'long' }, day)}>${format({ weekday: 'short' }, day)}</th>`;
  };
  const cell = (time: number) => {
    const day = new Date(time).toISOString().slice(0, 10);
    if (!day.startsWith(month)) return html`<td></td>`;
    const texts = textsOf.get(day) ?? [];
    return html`<td class=${texts.length > 0 ? 'full' : undefined}>
      <time datetime=${day}>${Number(day.slice(8))}</time>
      ${texts.map((text) => html`<span>${text}</span>`)}
    </td>`;
  };
  const weeks = toWeeks(first, month);
  return html`<div class="table" role="region" aria-label=${title} tabindex="0">
    <table class="calendar">
      <caption>
        ${title}
      </caption>
      <thead>
        <tr>
          ${Array.from({ length: 7 }, (_, index) => heading(index))}
        </tr>
      </thead>
      <tbody>
        ${weeks.map(
          (week) =>
            html`<tr>
              ${Array.from({ length: 7 }, (_, index) => cell(week + index * DAY_MS))}
            </tr>`,
        )}
      </tbody>
    </table>
  </div>`;
}

/** Returns the Mondays of the weeks that have a day of the month. */
function toWeeks(first: number, month: string): number[] {
  const monday = first - ((new Date(first).getUTCDay() + 6) % 7) * DAY_MS;
  const weeks = Array.from({ length: 6 }, (_, index) => monday + index * 7 * DAY_MS);
  return weeks.filter((week) => week <= first || new Date(week).toISOString().startsWith(month));
}
