import ts from 'typescript';

/** The declared type of a column in a statement's row type. */
export interface DeclaredColumn {
  kind: 'string' | 'number' | 'boolean' | 'Buffer' | 'object' | 'unknown';
  mayBeNull: boolean;
}

export type DeclaredRow = ReadonlyMap<string, DeclaredColumn>;

/**
 * Collects the row types of all calls of `query` and similar functions in src, by statement name. A composed name
 * becomes a pattern; patterns come last, because they might match other names as well. The type is undefined for
 * `object`, which means that no code reads the rows.
 */
export function declaredRows(): [name: RegExp, row: DeclaredRow | undefined][] {
  const root = new URL('../..', import.meta.url).pathname;
  const { config } = ts.readConfigFile(`${root}tsconfig.json`, (path) => ts.sys.readFile(path)) as { config: object };
  const { options } = ts.parseJsonConfigFileContent(config, ts.sys, root);
  const program = ts.createProgram([`${root}src/main.ts`], { ...options, noEmit: true });
  const checker = program.getTypeChecker();
  const found: [RegExp, DeclaredRow | undefined][] = [];
  const visit = (node: ts.Node): void => {
    const call = statementCall(node);
    if (call) found.push([call.name, rowOf(checker, call.row)]);
    ts.forEachChild(node, visit);
  };
  for (const file of program.getSourceFiles()) {
    if (file.fileName.startsWith(`${root}src/`) && !/\/db\/statement\.ts$/.test(file.fileName)) visit(file);
  }
  const isPattern = ([name]: (typeof found)[number]) => name.source.includes('\\w+');
  return [...found.filter((one) => !isPattern(one)), ...found.filter(isPattern)];
}

const BUILDERS = new Set(['query', 'aggregate', 'figures', 'pagedQuery', 'pointQuery', 'mutation']);

function statementCall(node: ts.Node): { name: RegExp; row: ts.TypeNode | undefined } | undefined {
  if (!ts.isCallExpression(node) || !ts.isIdentifier(node.expression)) return undefined;
  if (!BUILDERS.has(node.expression.text)) return undefined;
  return { name: patternOf(node.arguments[0]!), row: node.typeArguments?.[1] };
}

function patternOf(name: ts.Expression): RegExp {
  if (ts.isStringLiteralLike(name)) return new RegExp(`^${name.text}$`);
  if (!ts.isTemplateExpression(name)) throw new Error(`A statement is named by ${name.getText()}`);
  return new RegExp(`^${name.head.text}${name.templateSpans.map(({ literal }) => `\\w+${literal.text}`).join('')}$`);
}

function rowOf(checker: ts.TypeChecker, node: ts.TypeNode | undefined): DeclaredRow | undefined {
  if (!node || node.kind === ts.SyntaxKind.ObjectKeyword) return undefined;
  const properties = checker.getPropertiesOfType(checker.getTypeFromTypeNode(node));
  return new Map(properties.map((property) => [property.name, columnOf(checker, checker.getTypeOfSymbol(property))]));
}

function columnOf(checker: ts.TypeChecker, type: ts.Type): DeclaredColumn {
  const parts = type.isUnion() ? type.types : [type];
  const values = parts.filter(({ flags }) => !(flags & (ts.TypeFlags.Null | ts.TypeFlags.Undefined)));
  const kinds = new Set(values.map((value) => kindOf(checker, value)));
  return { kind: kinds.size === 1 ? [...kinds][0]! : 'unknown', mayBeNull: values.length < parts.length };
}

function kindOf(checker: ts.TypeChecker, type: ts.Type): DeclaredColumn['kind'] {
  if (type.flags & ts.TypeFlags.StringLike) return 'string';
  if (type.flags & ts.TypeFlags.NumberLike) return 'number';
  if (type.flags & ts.TypeFlags.BooleanLike) return 'boolean';
  if (checker.typeToString(type).startsWith('Buffer')) return 'Buffer';
  return type.flags & ts.TypeFlags.Object ? 'object' : 'unknown';
}
