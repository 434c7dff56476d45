import { scaleBand, scaleLinear } from 'd3-scale';
import { type Html, html } from '../../../../http/html/html.ts';
import { canvas, round, WIDTH } from './canvas.ts';

export interface Column {
  /** Unique name of the column. */
  key: string;
  value: number;
  /** The label below the column; null for most columns, because columns are narrow. */
  tick: string | null;
}

const HEIGHT = 180;
const TOP = 10;
const BOTTOM = HEIGHT - 24;
const LEFT = 34;

/** Draws counts as columns. */
export function columnChart(label: string, columns: readonly Column[], text: (value: number) => string): Html {
  const max = Math.max(1, ...columns.map(({ value }) => value));
  const y = scaleLinear([0, max], [BOTTOM, TOP]).nice(4);
  const x = scaleBand(
    columns.map(({ key }) => key),
    [LEFT, WIDTH],
  ).padding(0.2);
  const grid = y.ticks(4).filter(Number.isInteger);
  return canvas(
    HEIGHT,
    label,
    html`${grid.map((tick) => {
      const at = round(y(tick));
      return html`<line class="grid" x1=${LEFT} x2=${WIDTH} y1=${at} y2=${at} />
        <text x=${LEFT - 6} y=${at + 4} text-anchor="end">${text(tick)}</text>`;
    })}
    ${columns.map(({ key, value, tick }) => {
      const left = x(key)!;
      const top = y(value);
      return html`${
        value > 0 &&
        html`<rect
          class="bar-1"
          x=${round(left)}
          y=${round(top)}
          width=${round(x.bandwidth())}
          height=${round(BOTTOM - top)}
        />`
      }
      ${
        tick !== null &&
        html`<text x=${round(left + x.bandwidth() / 2)} y=${HEIGHT - 6} text-anchor="middle">${tick}</text>`
      }`;
    })}`,
  );
}
