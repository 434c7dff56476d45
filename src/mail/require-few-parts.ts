/**
 * Rejects an email with too many parts, before it is parsed. Each part begins with a line that starts with `--`.
 * @throws if the email has more than `maxLines` such lines
 */
export function requireFewParts(source: Uint8Array, maxLines: number): void {
  const bytes = Buffer.from(source.buffer, source.byteOffset, source.byteLength);
  let count = 0;
  for (let at = bytes.indexOf('\n--'); at >= 0; at = bytes.indexOf('\n--', at + 1)) count += 1;
  if (count > maxLines) throw new Error('the email has too many parts');
}
