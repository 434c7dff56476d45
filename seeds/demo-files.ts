import { hash } from 'node:crypto';
import { DAY_MS } from './demo-days.ts';
import { fixedReference } from './demo-ids.ts';
import { createPdf, type Print } from './demo-pdf.ts';

/** Collects the files of a company or of the managed catalogue. */
export interface FileLibrary {
  contents: object[];
  files: object[];
  /** Adds a file and returns its id. */
  add(file: DemoFile, createdAt: string): Promise<string>;
}

export interface DemoFile extends Print {
  /** The name of the file; null if it was uploaded without a name. */
  fileName: string | null;
}

export function openLibrary(company_id: string): FileLibrary {
  const contents = new Map<string, object>();
  const files: object[] = [];
  return {
    get contents() {
      return [...contents.values()];
    },
    files,
    async add({ fileName, ...print }, createdAt) {
      const { content, pageCount } = await createPdf(print);
      const sha256 = hash('sha256', content, 'buffer');
      const id = fixedReference(`file ${files.length + 1} of ${company_id}`);
      contents.set(sha256.toString('hex'), { company_id, sha256, content });
      files.push({
        company_id,
        id,
        sha256,
        file_name: fileName,
        size_bytes: content.length,
        page_count: pageCount,
        expires_at: new Date(Date.parse(createdAt) + DAY_MS),
        created_at: createdAt,
      });
      return id;
    },
  };
}
