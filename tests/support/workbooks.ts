import { strToU8, type Zippable, zipSync } from 'fflate';

const PACKAGE = 'http://schemas.openxmlformats.org/package/2006';
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships';
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main';
const TYPES = 'application/vnd.openxmlformats-officedocument.spreadsheetml';

/** Makes an Excel workbook with one sheet of these cells, each as its XML. The style 1 is a date. */
export function workbookOf(rows: readonly (readonly string[])[], more: Zippable = {}): Uint8Array {
  const sheet = rows.map((cells, index) => `<row r="${index + 1}">${cells.join('')}</row>`).join('');
  const link = (id: number, type: string, target: string) =>
    `<Relationship Id="rId${id}" Type="${OFFICE}/${type}" Target="${target}"/>`;
  const links = (...all: string[]) => `<Relationships xmlns="${PACKAGE}/relationships">${all.join('')}</Relationships>`;
  return zipSync({
    '[Content_Types].xml': strToU8(
      `<Types xmlns="${PACKAGE}/content-types"><Default Extension="xml" ContentType="application/xml"/>
       <Override PartName="/xl/workbook.xml" ContentType="${TYPES}.sheet.main+xml"/></Types>`,
    ),
    '_rels/.rels': strToU8(links(link(1, 'officeDocument', 'xl/workbook.xml'))),
    'xl/workbook.xml': strToU8(
      `<workbook xmlns="${MAIN}" xmlns:r="${OFFICE}"><sheets><sheet name="People" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    ),
    'xl/_rels/workbook.xml.rels': strToU8(
      links(link(1, 'worksheet', 'worksheets/sheet1.xml'), link(2, 'styles', 'styles.xml')),
    ),
    'xl/styles.xml': strToU8(
      `<styleSheet xmlns="${MAIN}"><cellXfs count="2"><xf numFmtId="0"/><xf numFmtId="14"/></cellXfs></styleSheet>`,
    ),
    'xl/worksheets/sheet1.xml': strToU8(`<worksheet xmlns="${MAIN}"><sheetData>${sheet}</sheetData></worksheet>`),
    ...more,
  });
}
