// Text that reads from right to left, in a PDF. pdfkit lays out each word in the direction of its script, but places
// the words of a line from left to right. `toVisualOrder` therefore reorders the words of a line, without changing the
// words.
//
// Not for: numbers and brackets inside Arabic or Hebrew sentences, which Unicode's bidirectional algorithm treats
// separately. The only right-to-left text in the report is names.

const RIGHT_TO_LEFT = /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/u;
const LETTER = /\p{L}/u;

/** Reports whether the first letter of a string belongs to a right-to-left script. */
export function isRightToLeft(text: string): boolean {
  const first = LETTER.exec(text);
  return first !== null && RIGHT_TO_LEFT.test(first[0]);
}

/** Arranges the words of a line in drawing order, from left to right. */
export function toVisualOrder(line: string): string {
  if (!RIGHT_TO_LEFT.test(line)) return line;
  const base = isRightToLeft(line);
  const runs: { isReversed: boolean; words: string[] }[] = [];
  for (const word of line.split(' ')) {
    const isReversed = LETTER.test(word) ? RIGHT_TO_LEFT.test(word) : (runs.at(-1)?.isReversed ?? base);
    const last = runs.at(-1);
    if (last?.isReversed === isReversed) last.words.push(word);
    else runs.push({ isReversed, words: [word] });
  }
  const drawn = runs.map(({ isReversed, words }) => (isReversed ? words.toReversed() : words));
  return (base ? drawn.toReversed() : drawn).flat().join(' ');
}
