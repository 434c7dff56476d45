import { scaleLinear, scaleUtc } from 'd3-scale';
import { area, line } from 'd3-shape';
import { type Html, html } from '../../../../http/html/html.ts';
import { canvas, round, WIDTH } from './canvas.ts';

export interface Point {
  date: Date;
  value: number;
}

export interface LineChart {
  label: string;
  /** At least one point, in order of time. */
  points: readonly Point[];
  /** The lowest and the highest possible value. */
  domain: readonly [number, number];
  ticks: readonly number[];
  value: (value: number) => string;
  day: (date: Date) => string;
}

const HEIGHT = 200;
const TOP = 16;
const BOTTOM = HEIGHT - 24;
const LEFT = 30;
const RIGHT = WIDTH - 34;

/** Draws values over days as a line, labelled with the last value. */
export function lineChart({ label, points, domain, ticks, value, day }: LineChart): Html {
  const x = xScale(points);
  const y = scaleLinear(domain, [BOTTOM, TOP]);
  const drawPath = line<Point>(
    (point) => x(point.date),
    (point) => y(point.value),
  ).digits(1);
  const drawArea = area<Point>(
    (point) => x(point.date),
    y(domain[0]),
    (point) => y(point.value),
  ).digits(1);
  const last = points.at(-1)!;
  const end = { x: round(x(last.date)), y: round(y(last.value)) };
  return canvas(
    HEIGHT,
    label,
    html`${ticks.map((tick) => gridLine(round(y(tick)), value(tick)))} ${dayTicks(x, day)}
      <path class="area" d=${drawArea(points)} />
      <path class="line" d=${drawPath(points)} />
      <circle class="dot" cx=${end.x} cy=${end.y} r="3.5" />
      <text class="strong" x=${end.x + 7} y=${end.y + 4}>${value(last.value)}</text>`,
  );
}

/** Creates the scale of the days. A single point, of a company whose first day was yesterday, is at the right. */
function xScale(points: readonly Point[]) {
  const [first, last] = [points[0]!.date, points.at(-1)!.date];
  const from = first < last ? first : new Date(last.getTime() - 86_400_000);
  return scaleUtc([from, last], [LEFT, RIGHT]);
}

function gridLine(y: number, text: string): Html {
  return html`<line class="grid" x1=${LEFT} x2=${RIGHT} y1=${y} y2=${y} />
    <text x=${LEFT - 6} y=${y + 4} text-anchor="end">${text}</text>`;
}

function dayTicks(x: ReturnType<typeof xScale>, day: (date: Date) => string): Html[] {
  const days = x.ticks(3).filter((date) => date.getUTCHours() === 0);
  return days.map((date) => {
    return html`<text x=${round(x(date))} y=${HEIGHT - 6} text-anchor="middle">${day(date)}</text>`;
  });
}
