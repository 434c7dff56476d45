/** The part of node-postgres that converts a value to the form that it sends. Its typings leave it out. */
declare module 'pg/lib/utils.js' {
  const utils: { prepareValue(this: void, value: unknown): string | Buffer | null };
  export default utils;
}
