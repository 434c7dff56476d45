import { dirname } from 'node:path';
import ts from 'typescript';

/** Maximum depth to which nested objects are followed, because types of libraries can nest without end. */
const MAX_DEPTH = 6;

/**
 * The properties that code reads. A property is identified by its declaration: a property of the same name in a
 * different declaration is a different property. If an object is assigned to a different type, reading a property of
 * that type also reads the object's property. A placeholder of a statement (`p.email`) reads the property of the
 * statement's parameters.
 */
export class PropertyReads {
  readonly #checker: ts.TypeChecker;
  readonly #read = new Set<ts.Declaration>();
  readonly #targets = new Map<ts.Declaration, Set<ts.Declaration>>();
  readonly #assigned = new Map<ts.Type, Set<ts.Type>>();

  /** @param isRead reports whether reads in a file count */
  constructor(program: ts.Program, isRead: (file: string) => boolean) {
    this.#checker = program.getTypeChecker();
    for (const file of program.getSourceFiles()) if (isRead(file.fileName)) this.#visit(file);
  }

  /** Reports whether code reads the property, or a property to which it is assigned. */
  has(property: ts.Symbol): boolean {
    const seen = new Set<ts.Declaration>();
    const waiting = [...(property.declarations ?? [])];
    for (let one = waiting.pop(); one; one = waiting.pop()) {
      if (seen.has(one)) continue;
      seen.add(one);
      if (this.#read.has(one)) return true;
      waiting.push(...(this.#targets.get(one) ?? []));
    }
    return false;
  }

  #visit(node: ts.Node): void {
    if (ts.isPropertyAccessExpression(node) && !isAssigned(node)) this.#readOf(node.expression, [node.name.text]);
    if (ts.isElementAccessExpression(node) && !isAssigned(node))
      this.#readOf(node.expression, this.#textsOf(node.argumentExpression));
    if (ts.isBindingElement(node) && ts.isObjectBindingPattern(node.parent) && !node.dotDotDotToken)
      this.#readOf(node.parent, [(node.propertyName ?? node.name).getText()]);
    if (ts.isCallExpression(node) || ts.isNewExpression(node)) this.#assignArguments(node);
    else if (ts.isExpression(node) && !ts.isLiteralExpression(node)) this.#assignToContext(node);
    ts.forEachChild(node, (child) => this.#visit(child));
  }

  #readOf(owner: ts.Node, names: string[]): void {
    const type = this.#checker.getTypeAtLocation(owner);
    const read = type.aliasSymbol?.name === 'Parameters' ? (type.aliasTypeArguments?.[0] ?? type) : type;
    for (const name of names) for (const declaration of this.#declarationsOf(read, name)) this.#read.add(declaration);
  }

  #textsOf(index: ts.Expression): string[] {
    const type = this.#checker.getTypeAtLocation(index);
    return partsOf(type).flatMap((part) => (part.isStringLiteral() ? [part.value] : []));
  }

  #assignArguments(call: ts.CallExpression | ts.NewExpression): void {
    const signature = this.#checker.getResolvedSignature(call);
    const given = call.arguments ?? [];
    for (const [index, parameter] of (signature?.parameters ?? []).entries()) {
      const type = this.#checker.getTypeOfSymbolAtLocation(parameter, call);
      const isRest =
        parameter.valueDeclaration &&
        ts.isParameter(parameter.valueDeclaration) &&
        !!parameter.valueDeclaration.dotDotDotToken;
      const target = isRest ? (this.#checker.getIndexTypeOfType(type, ts.IndexKind.Number) ?? type) : type;
      for (const one of isRest ? given.slice(index) : given.slice(index, index + 1))
        this.#assign(this.#checker.getTypeAtLocation(one), target);
    }
    this.#assignToContext(call);
  }

  #assignToContext(expression: ts.Expression): void {
    const target = this.#checker.getContextualType(expression);
    if (target) this.#assign(this.#checker.getTypeAtLocation(expression), target);
  }

  #assign(source: ts.Type, target: ts.Type, depth = 0): void {
    if (source === target || depth > MAX_DEPTH || !isStructured(source) || !isStructured(target)) return;
    const known = this.#assigned.get(source) ?? new Set();
    if (known.has(target)) return;
    this.#assigned.set(source, known.add(target));
    for (const from of partsOf(source)) for (const to of partsOf(target)) this.#assignPart(from, to, depth + 1);
  }

  #assignPart(source: ts.Type, target: ts.Type, depth: number): void {
    for (const kind of [ts.IndexKind.Number, ts.IndexKind.String]) {
      const [from, to] = [source, target].map((type) => this.#checker.getIndexTypeOfType(type, kind));
      if (from && to) this.#assign(from, to, depth);
    }
    if (this.#checker.isArrayLikeType(source)) return;
    for (const property of target.getProperties()) {
      const own = this.#checker.getPropertyOfType(source, property.name);
      if (!own || own === property || !own.declarations?.some(isOurs)) continue;
      for (const from of own.declarations) this.#link(from, property.declarations ?? []);
      this.#assign(this.#checker.getTypeOfSymbol(own), this.#checker.getTypeOfSymbol(property), depth);
    }
    this.#assignSignatures(source, target, depth);
  }

  /** Links a function to the function type it is passed as: parameters from the type, the result to the type. */
  #assignSignatures(source: ts.Type, target: ts.Type, depth: number): void {
    const [own] = source.getCallSignatures();
    const [expected] = target.getCallSignatures();
    if (!own || !expected) return;
    for (const [index, parameter] of own.parameters.entries()) {
      const given = expected.parameters[index];
      if (given) this.#assign(this.#checker.getTypeOfSymbol(given), this.#checker.getTypeOfSymbol(parameter), depth);
    }
    this.#assign(own.getReturnType(), expected.getReturnType(), depth);
  }

  #link(from: ts.Declaration, targets: readonly ts.Declaration[]): void {
    const known = this.#targets.get(from) ?? new Set();
    this.#targets.set(from, known);
    for (const target of targets) if (target !== from) known.add(target);
  }

  #declarationsOf(type: ts.Type, name: string): ts.Declaration[] {
    return partsOf(this.#checker.getApparentType(type)).flatMap(
      (part) => this.#checker.getPropertyOfType(part, name)?.declarations ?? [],
    );
  }
}

function isOurs(declaration: ts.Declaration): boolean {
  return !declaration.getSourceFile().fileName.includes('/node_modules/');
}

function partsOf(type: ts.Type): ts.Type[] {
  return type.isUnion() ? type.types : [type];
}

function isStructured(type: ts.Type): boolean {
  return (type.flags & (ts.TypeFlags.Object | ts.TypeFlags.UnionOrIntersection | ts.TypeFlags.TypeParameter)) !== 0;
}

function isAssigned(node: ts.Expression): boolean {
  const { parent } = node;
  return (
    ts.isBinaryExpression(parent) && parent.left === node && parent.operatorToken.kind === ts.SyntaxKind.EqualsToken
  );
}

/** Returns the compiler's program for the files. `texts` holds the files that are not on disk, by path. */
export function programOf(files: string[], config: string, texts: Record<string, string> = {}): ts.Program {
  const { compilerOptions } = ts.readConfigFile(config, (path) => ts.sys.readFile(path)).config as {
    compilerOptions: object;
  };
  const { options } = ts.convertCompilerOptionsFromJson(compilerOptions, dirname(config));
  const host = ts.createCompilerHost(options);
  const { getSourceFile } = host;
  host.getSourceFile = (path, version, ...rest) => {
    const text = texts[path];
    if (text === undefined) return sourceFiles.get(path) ?? kept(path, getSourceFile(path, version, ...rest));
    return ts.createSourceFile(path, text, version);
  };
  return ts.createProgram(files, { ...options, types: [] }, host);
}

const sourceFiles = new Map<string, ts.SourceFile>();

function kept(path: string, file: ts.SourceFile | undefined): ts.SourceFile | undefined {
  if (file) sourceFiles.set(path, file);
  return file;
}
