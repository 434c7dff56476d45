import pg from 'pg';

/**
 * Converts a timestamp of Postgres, such as `2026-03-02 08:30:00.5+00`, to the contract's ISO 8601 with milliseconds.
 * If a pooler has dropped the session's time zone, the string ends with another offset, such as `+02` or `+05:30`.
 */
export function isoTimestamp(text: string): string {
  if (text.endsWith('+00')) return `${text.slice(0, 10)}T${text.slice(11, 19)}.${text.slice(20, -3).padEnd(3, '0')}Z`;
  const [, day, time, offset] = /^(\S+) (\S+?)([+-]\d\d(?::\d\d)?)$/.exec(text)!;
  return new Date(`${day}T${time}${offset!.padEnd(6, ':00')}`).toISOString();
}

/** Parsers from the text of a column to its value, by column type. */
export const columnTypes = new pg.TypeOverrides();
columnTypes.setTypeParser(pg.types.builtins.TIMESTAMPTZ, isoTimestamp);
columnTypes.setTypeParser(pg.types.builtins.DATE, (text) => text);
columnTypes.setTypeParser(pg.types.builtins.INT8, Number);
columnTypes.setTypeParser(pg.types.builtins.NUMERIC, Number);
