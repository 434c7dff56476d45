/** Format characters, separators and letters without a shape; the space is told apart below. */
const INVISIBLE = /[\u007f-\u009f\p{Cf}\p{Z}\u115f\u1160\u2800\u3164\uffa0]/gu;

/** Returns the value as JSON that shows every character: editors and reviewers see none of the invisible ones. */
export function escapedJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(INVISIBLE, (character) =>
    character === ' ' ? character : Array.from({ length: character.length }, (_, at) => unit(character, at)).join(''),
  );
}

function unit(character: string, at: number): string {
  return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
}
