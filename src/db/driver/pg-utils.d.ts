/** How node-postgres turns a value into what it sends. Its typings leave it out. */
declare module 'pg/lib/utils.js' {
  const utils: { prepareValue(this: void, value: unknown): string | Buffer | null };
  export default utils;
}
