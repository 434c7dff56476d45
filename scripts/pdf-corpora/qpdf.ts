import { execFile } from 'node:child_process';

/** A PDF as qpdf reads it, independently of our own reader. */
export interface Oracle {
  /** True if qpdf reads the file without an error or a warning, and the file has pages and is not encrypted. */
  isSound: boolean;
  /** The active content that a viewer would find, such as `JavaScript`; empty if there is none. */
  active: string[];
}

/** A value in qpdf's JSON, where names begin with a slash and references look like `12 0 R`. */
type Value = null | boolean | number | string | Value[] | { [key: string]: Value };
type Dictionary = Record<string, Value>;

interface Document {
  encrypt?: { encrypted: boolean };
  pages?: unknown[];
  qpdf?: [unknown, Record<string, { value?: Value; stream?: { dict: Dictionary } }>];
}

const TIMEOUT_MS = 120_000;
const MAX_BYTES = 400 * 1024 * 1024;
/** The maximum length of a chain of references. */
const MAX_ALIASES = 5;
const MISSING = 'ENOENT';

/** Returns the version of the qpdf on the path, or undefined if there is none. */
export async function qpdfVersion(): Promise<string | undefined> {
  const { code, output } = await run(['--version']);
  return code === MISSING ? undefined : output.split('\n')[0];
}

/** Reads a file with qpdf. */
export async function consultQpdf(file: string): Promise<Oracle> {
  const { code } = await run(['--check', file]);
  const { output } = await run(['--json=2', '--json-key=qpdf', '--json-key=encrypt', '--json-key=pages', file]);
  const document = parseDocument(output);
  if (!document?.qpdf) return { isSound: false, active: [] };
  const isSound = code === 0 && !document.encrypt?.encrypted && (document.pages?.length ?? 0) > 0;
  return { isSound, active: findActive(document.qpdf[1]) };
}

function parseDocument(json: string): Document | undefined {
  try {
    return JSON.parse(json) as Document;
  } catch {
    return undefined;
  }
}

/** Returns the kinds of active content in any object of a file, reachable or not. */
function findActive(objects: NonNullable<Document['qpdf']>[1]): string[] {
  const found = new Set<string>();
  const resolve = (value: Value | undefined, aliases = 0): Value | undefined => {
    if (typeof value !== 'string' || !/^\d+ \d+ R$/.test(value) || aliases > MAX_ALIASES) return value;
    const object = objects[`obj:${value}`];
    return object?.stream?.dict ?? resolve(object?.value, aliases + 1);
  };
  const visit = (value: Value | undefined): void => {
    if (Array.isArray(value)) return value.forEach(visit);
    if (!isDictionary(value)) return;
    for (const kind of activeKinds(value, resolve)) found.add(kind);
    Object.values(value).forEach(visit);
  };
  for (const { value, stream } of Object.values(objects)) visit(stream?.dict ?? value);
  return [...found].sort();
}

function activeKinds(dictionary: Dictionary, resolve: (value: Value | undefined) => Value | undefined): string[] {
  const kind = resolve(dictionary['/S']);
  const form = resolve(dictionary['/AcroForm']);
  const isScript = kind === '/JavaScript' || kind === '/Rendition';
  return [
    ...(isScript && isPresent(resolve(dictionary['/JS'])) ? ['JavaScript'] : []),
    ...(kind === '/Launch' ? ['Launch'] : []),
    ...(kind === '/ImportData' ? ['ImportData'] : []),
    ...(dictionary['/Subtype'] === '/RichMedia' ? ['RichMedia'] : []),
    ...(isPresent(dictionary['/OnInstantiate']) ? ['3D script'] : []),
    ...(isDictionary(form) && isPresent(resolve(form['/XFA'])) ? ['XFA'] : []),
  ];
}

function isPresent(value: Value | undefined): boolean {
  return value !== undefined && value !== null;
}

function isDictionary(value: Value | undefined): value is Dictionary {
  return typeof value === 'object' && value !== null && !Array.isArray(value);
}

function run(args: string[]): Promise<{ code: number | string; output: string }> {
  return new Promise((resolve) => {
    execFile('qpdf', args, { timeout: TIMEOUT_MS, maxBuffer: MAX_BYTES }, (error, output) => {
      resolve({ code: error ? (error.code ?? error.signal ?? 1) : 0, output });
    });
  });
}
