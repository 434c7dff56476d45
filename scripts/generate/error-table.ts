import { errorCodes } from '../../src/contract/error-codes.ts';

const BEGIN = '<!-- The table of error codes, written by `make generate` from src/contract/error-codes.ts. -->';
const END = '<!-- The end of the table of error codes. -->';

/** Returns the text of docs/guides/errors.md with the current table of error codes. @throws if the text lacks the markers */
export function withErrorTable(guide: string): string {
  const [begin, end] = [guide.indexOf(BEGIN), guide.indexOf(END)];
  if (begin < 0 || end < begin) throw new Error('docs/guides/errors.md lacks the markers of the table of error codes');
  return `${guide.slice(0, begin)}${BEGIN}\n\n${formatErrorTable()}\n\n${guide.slice(end)}`;
}

/** Lists the codes by status. Within a status they keep their order, so that the generic code comes first. */
function formatErrorTable(): string {
  const rows = Object.entries(errorCodes)
    .toSorted(([, a], [, b]) => a.status - b.status)
    .map(
      ([code, { status, when, action }]) =>
        `| ${status} | [\`${code}\`](/docs/error-codes/${code}) | ${when} | ${action} |`,
    );
  return ['| Status | Code | When | What to do |', '| --- | --- | --- | --- |', ...rows].join('\n');
}
