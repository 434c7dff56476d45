// Reads the first sheet of an Excel workbook (.xlsx).
//
// A workbook is a ZIP file of XML files. A small workbook can unpack to gigabytes, and a few cells can span a sheet of
// 17 billion cells. So the files that matter are unpacked first, within limits: fflate allocates the size that the
// directory of the ZIP file states, and never writes beyond it. The library then gets a new ZIP file of these files,
// without the cells and rows that are empty but formatted. It reads no formulas, macros or links: a formula has the
// value that Excel stored.
//
// The library allocates all cells up to the last one, and a cell far away ends the whole process (9.3.17). So each cell
// and each row must state its position in the form that spreadsheet programs write; any other form is unreadable.
import { strFromU8, strToU8, unzipSync, zipSync } from 'fflate';
import { readSheet } from 'read-excel-file/universal';
import { MAX_COLUMNS, MAX_ROWS, TableFault } from './table-limits.ts';

/** Maximum number of bytes that the files of a workbook can unpack to. A sheet of 10,000 people takes 5 MiB. */
const MAX_UNPACKED_BYTES = 48 * 1024 * 1024;
/** Number of rows that a sheet can have above the header row, such as a title. */
const MAX_ROWS_ABOVE = 20;

const PARTS =
  /^(\[Content_Types\]\.xml|_rels\/.*\.rels|xl\/_rels\/.*\.rels|xl\/(?!calcChain)[^/]+\.xml|xl\/worksheets\/[^/]+\.xml)$/i;

/** @throws {TableFault} if the file is not a workbook, or exceeds the limits */
export async function readWorkbook(bytes: Uint8Array): Promise<string[][]> {
  const parts = unpack(bytes);
  // Any file can be the sheet, because other files in the archive say which one it is.
  for (const [path, content] of Object.entries(parts)) parts[path] = strToU8(withoutEmptyCells(strFromU8(content)));
  const workbook = zipSync(parts, { level: 0 });
  // Numbers are kept as written, so that long ones keep all digits.
  const sheet = await readSheet<string>(workbook.buffer, { parseNumber: formatNumber }).catch(() => {
    throw new TableFault('unreadable');
  });
  return (sheet as (Cell | null)[][]).map((row) => row.map(formatCell));
}

function unpack(bytes: Uint8Array): Record<string, Uint8Array> {
  let unpacked = 0;
  const filter = ({ name, size, originalSize }: { name: string; size: number; originalSize: number }) => {
    if (!PARTS.test(name)) return false;
    // For an uncompressed file, fflate copies as many bytes as the archive states. Several files can share the same
    // bytes.
    unpacked += Math.max(size, originalSize);
    if (unpacked > MAX_UNPACKED_BYTES) throw new TableFault('tooLarge');
    return true;
  };
  try {
    return unzipSync(bytes, { filter });
  } catch (error) {
    throw error instanceof TableFault ? error : new TableFault('unreadable');
  }
}

const EMPTY_CELL = /<(\w+:)?c(\s[^<>]*)?(\/>|>\s*<\/(\w+:)?c>)/g;
const EMPTY_ROW = /<(\w+:)?row(\s[^<>]*)?(\/>|>\s*<\/(\w+:)?row>)/g;
/** The start tag of a cell or a row, up to its end or to a character that such a tag cannot contain. */
const PLACED = /<(?:[\w.-]*:)?(c|row)(?![\w:.-])([^<>]*)/g;
const ATTRIBUTES = /^(?:[ \t\r\n]+[\w:.-]+=(?:"[^"]*"|'[^']*'))*[ \t\r\n]*\/?$/;
/** The attribute `r`, with any prefix, since the library ignores prefixes. */
const PLACE = /[\s:]r=(?:"([^"]*)"|'([^']*)')/g;

/**
 * Removes empty cells and rows. @throws {TableFault} for a cell or a row beyond the limits, or whose position is
 * unclear
 */
function withoutEmptyCells(xml: string): string {
  requireShortPieces(xml);
  const text = xml.replaceAll(EMPTY_CELL, '').replaceAll(EMPTY_ROW, '');
  let rowCount = 0;
  for (const [, name, attributes = ''] of text.matchAll(PLACED)) {
    if (name === 'row') rowCount += 1;
    if (!ATTRIBUTES.test(attributes)) throw new TableFault('unreadable');
    for (const [, place, quoted = ''] of attributes.matchAll(PLACE)) requirePlace(place ?? quoted, name === 'c');
  }
  if (rowCount > MAX_ROWS + MAX_ROWS_ABOVE) throw new TableFault('tooManyRows');
  return text;
}

/** Maximum number of characters between the ends of two tags; a cell of Excel has at most 32,767. */
const MAX_PIECE_LENGTH = 256 * 1024;
/** Maximum number of formats; Excel has at most 65,490. */
const MAX_FORMATS = 100_000;

/**
 * @throws {TableFault} for a file that would take the library minutes, or all memory: it reads long runs of text
 *   repeatedly
 */
function requireShortPieces(xml: string): void {
  for (let start = 0, end = 0; end >= 0; start = end + 1) {
    end = xml.indexOf('>', start);
    if ((end < 0 ? xml.length : end) - start > MAX_PIECE_LENGTH) throw new TableFault('unreadable');
  }
  const format = /[<:](?:xf|numFmt)\b/g;
  for (let count = 0; format.test(xml); count += 1) if (count === MAX_FORMATS) throw new TableFault('unreadable');
}

/** @throws {TableFault} for a position beyond the limits, or in another form */
function requirePlace(place: string, isCell: boolean): void {
  const [, letters = '', number] = /^([A-Z]{0,3})(\d{1,7})$/.exec(place) ?? [];
  if (number === undefined || isCell !== (letters !== '')) throw new TableFault('unreadable');
  if (Number(number) > MAX_ROWS + MAX_ROWS_ABOVE) throw new TableFault('tooManyRows');
  if (toColumnNumber(letters) > MAX_COLUMNS) throw new TableFault('tooManyColumns');
}

function toColumnNumber(letters: string): number {
  return [...letters].reduce((number, letter) => number * 26 + letter.charCodeAt(0) - 64, 0);
}

/** Formats a stored number: `4.2E1` becomes `42`. */
function formatNumber(text: string): string {
  return /e/i.test(text) ? Number(text).toLocaleString('en', { useGrouping: false, maximumFractionDigits: 20 }) : text;
}

type Cell = string | number | boolean | Date;

function formatCell(cell: Cell | null | undefined): string {
  if (cell === null || cell === undefined) return '';
  if (!(cell instanceof Date)) return String(cell);
  const time = Number.isNaN(cell.getTime()) ? '' : cell.toISOString();
  return time.endsWith('T00:00:00.000Z') ? time.slice(0, 10) : time;
}
