const LENGTH_BYTES = 4;

/** Joins several inputs of a program, each after its length. */
export function frameInputs(inputs: readonly Uint8Array[]): Buffer {
  return Buffer.concat(
    inputs.flatMap((input) => {
      const length = Buffer.alloc(LENGTH_BYTES);
      length.writeUInt32BE(input.length);
      return [length, input];
    }),
  );
}

/** Yields the inputs that were joined by `frameInputs`. */
export function* readFrames(framed: Buffer): Generator<Buffer> {
  for (let at = 0; at < framed.length;) {
    const end = at + LENGTH_BYTES + framed.readUInt32BE(at);
    yield framed.subarray(at + LENGTH_BYTES, end);
    at = end;
  }
}
