import { pipeline } from 'node:stream/promises';
import { createInflateRaw } from 'node:zlib';

/** What deflated pieces hold. Its failures are those of the pieces, and of what is no such data. */
export async function* inflated(pieces: AsyncIterable<Buffer>): AsyncGenerator<Buffer, void> {
  const inflate = createInflateRaw();
  // A failure ends the stream below with the same error.
  const fed = pipeline(pieces, inflate).catch(() => undefined);
  yield* inflate as AsyncIterable<Buffer>;
  await fed;
}

/** The bytes from `start` to `end`, both counted from 0 and among them. */
export async function* partOf(
  pieces: AsyncIterable<Buffer>,
  { start, end }: { start: number; end: number },
): AsyncGenerator<Buffer, void> {
  let place = 0;
  for await (const piece of pieces) {
    const part = piece.subarray(Math.max(0, start - place), Math.max(0, end + 1 - place));
    place += piece.length;
    if (part.length > 0) yield part;
    if (place > end) return;
  }
}
