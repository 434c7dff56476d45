import { scaleLinear } from 'd3-scale';
import { area } from 'd3-shape';
import { type Html, html } from '../../../../http/html/html.ts';
import { canvas, cut, WIDTH } from './canvas.ts';

export interface Stage {
  name: string;
  count: number;
  text: string;
}

const STAGE = 34;
const GAP = 6;
const NAME_END = 104;
const TEXT_AT = WIDTH - 108;
const MIDDLE = (NAME_END + TEXT_AT) / 2;

/**
 * Draws how many of the people in the first stage reached each later stage. Each stage is as wide as its count, and
 * narrows to the next.
 */
export function funnelChart(label: string, stages: readonly Stage[]): Html {
  const max = Math.max(1, ...stages.map(({ count }) => count));
  const half = scaleLinear([0, max], [1, (TEXT_AT - NAME_END) / 2 - 8]);
  const drawn = stages.map(({ name, count, text }, index) => {
    const top = index * (STAGE + GAP);
    const ends = [half(count), half(Math.min(count, stages[index + 1]?.count ?? count))];
    const shape = area<number>()
      .y((_, end) => top + end * STAGE)
      .x0((width) => MIDDLE - width)
      .x1((width) => MIDDLE + width)
      .digits(1);
    const textY = top + STAGE / 2 + 4;
    return html`<path class="bar-1" d=${shape(ends)} />
      <text class="strong" x="0" y=${textY}>${cut(name, 16)}</text>
      <text x=${TEXT_AT} y=${textY}>${text}</text>`;
  });
  return canvas(stages.length * (STAGE + GAP) - GAP, label, drawn);
}
