import { scaleLinear } from 'd3-scale';
import { type Html, html } from '../../../../http/html/html.ts';
import { canvas, cut, round, WIDTH } from './canvas.ts';

export interface Bar {
  /** A colour from the style sheet; one per measure. */
  color: 1 | 2;
  /** Share from 0 to 1; null if there is nothing to measure. */
  share: number | null;
  text: string;
}

export interface BarRow {
  name: string;
  bars: readonly Bar[];
}

const BAR = 12;
const NAME = 18;
const GAP = 12;
const TEXT_AT = WIDTH - 52;
const MAX_NAME = 44;

/** Draws shares as bars. The name of a row is above its bars, because names are long and phones narrow. */
export function barChart(label: string, rows: readonly BarRow[]): Html {
  const width = scaleLinear([0, 1], [0, TEXT_AT - 8]).clamp(true);
  let top = 0;
  const drawn = rows.map(({ name, bars }) => {
    const at = top;
    top += NAME + bars.length * (BAR + 4) + GAP;
    return html`<text class="strong" x="0" y=${at + 12}>${cut(name, MAX_NAME)}</text>
      ${bars.map((bar, index) => barAt(at + NAME + index * (BAR + 4), bar, width))}`;
  });
  return canvas(Math.max(1, top - GAP), label, drawn);
}

function barAt(y: number, { color, share, text }: Bar, width: (share: number) => number): Html {
  return html`<rect class="track" x="0" y=${y} width=${width(1)} height=${BAR} rx="2" />
    ${share !== null && html`<rect class=${`bar-${color}`} x="0" y=${y} width=${round(width(share))} height=${BAR} rx="2" />`}
    <text x=${TEXT_AT} y=${y + 10}>${text}</text>`;
}
