import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import ts from 'typescript';

const root = join(import.meta.dirname, '../..');
/**
 * Creates a type check of the service. After the first run it checks only files that a change affects.
 * @returns a function that returns the errors, each with its file and line
 */
export function createTypeCheck(): () => string[] {
  const files = new Map<string, { changedAt: number; source: ts.SourceFile | undefined }>();
  let last: ts.SemanticDiagnosticsBuilderProgram | undefined;
  return () => {
    const { options, fileNames, errors } = readProject();
    const host = ts.createIncrementalCompilerHost(options);
    const parse = host.getSourceFile.bind(host);
    host.getSourceFile = (name, ...rest) => {
      const changedAt = statSync(name, { throwIfNoEntry: false })?.mtimeMs ?? 0;
      const known = files.get(name);
      if (known?.changedAt === changedAt) return known.source;
      const source = parse(name, ...rest);
      files.set(name, { changedAt, source });
      return source;
    };
    last = ts.createSemanticDiagnosticsBuilderProgram(fileNames, options, host, last);
    const found = [...errors, ...last.getSyntacticDiagnostics(), ...last.getSemanticDiagnostics()];
    return found.map(formatDiagnostic);
  };
}

/** Reads the project without its tests, which the service does not need to run. */
function readProject(): ts.ParsedCommandLine {
  const { config } = ts.readConfigFile(join(root, 'tsconfig.json'), (name) => ts.sys.readFile(name)) as {
    config: { include: string[] };
  };
  const include = config.include.filter((folder) => folder !== 'tests');
  // Comments are removed, so that a new description in the contract does not change a type.
  return ts.parseJsonConfigFileContent({ ...config, include }, ts.sys, root, {
    incremental: true,
    removeComments: true,
  });
}

function formatDiagnostic({ file, start, messageText, code }: ts.Diagnostic): string {
  const message = `${ts.flattenDiagnosticMessageText(messageText, '\n  ')} (TS${code})`;
  if (!file) return message;
  const { line, character } = file.getLineAndCharacterOfPosition(start ?? 0);
  return `${relative(root, file.fileName)}:${line + 1}:${character + 1}  ${message}`;
}
