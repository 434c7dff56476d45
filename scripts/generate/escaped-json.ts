/** Format characters, separators and invisible letters. The space is excluded below. */
const INVISIBLE = /[\u007f-\u009f\p{Cf}\p{Z}\u115f\u1160\u2800\u3164\uffa0]/gu;

/** Returns the value as JSON with invisible characters escaped, so that editors and reviewers see them. */
export function escapedJson(value: unknown, indent?: number): string {
  return JSON.stringify(value, null, indent).replaceAll(INVISIBLE, (character) =>
    character === ' ' ? character : Array.from({ length: character.length }, (_, at) => unit(character, at)).join(''),
  );
}

function unit(character: string, at: number): string {
  return `\\u${character.charCodeAt(at).toString(16).padStart(4, '0')}`;
}
