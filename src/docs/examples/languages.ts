import type { ContractDocument, OperationEntry } from '../document.ts';
import { writeCurl } from './curl.ts';
import { buildExampleRequest, type ExampleRequest } from './example-request.ts';
import { writeGo } from './go.ts';
import { writeJava } from './java.ts';
import { writePython } from './python.ts';
import { writeTypeScript } from './typescript.ts';

export interface ExampleLanguage {
  /** The language of the code block in Markdown, a name in `LANGUAGES`. */
  fence: string;
  write: (request: ExampleRequest) => string;
}

/**
 * Languages of each operation's examples. TypeScript uses the client of `sdk/`, because this repository publishes it.
 * The other languages use what their standard library has: their generated clients differ by generator, and an example
 * for one would not help users of the others.
 */
const EXAMPLE_LANGUAGES: readonly ExampleLanguage[] = [
  { fence: 'sh', write: writeCurl },
  { fence: 'ts', write: writeTypeScript },
  { fence: 'python', write: writePython },
  { fence: 'go', write: writeGo },
  { fence: 'java', write: writeJava },
];

export interface WrittenExample extends Pick<ExampleLanguage, 'fence'> {
  code: string;
}

/** Writes the example of an operation in every language. */
export function writeExamples(document: ContractDocument, entry: OperationEntry): WrittenExample[] {
  const request = buildExampleRequest(document, entry);
  return EXAMPLE_LANGUAGES.map(({ fence, write }) => ({ fence, code: write(request) }));
}
