import { basename } from 'node:path';
import ts from 'typescript';
import { type Language, LANGUAGES } from '../../src/contract/languages.ts';
import { hasProse, type Passage, PartsBuilder } from './passages.ts';

/** Names of values that are numbers in a message. */
const NUMBERS = /count|number|days|hours|minutes|percent|score|size|total|limit|most|mark|[nm]axi/i;

/**
 * Returns the translated strings of a TypeScript file: those below a property `en`, `de` or `fr`, in an object with
 * `language: 'en'`, or in a file named after its language.
 */
export function messagePassages(file: string, source: string): Passage[] {
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true);
  const passages: Passage[] = [];
  const visit = (node: ts.Node, language: Language | undefined): void => {
    if (isData(node)) return;
    if (language && (ts.isStringLiteralLike(node) || ts.isTemplateExpression(node))) {
      const parts = toParts(node, language);
      const line = tree.getLineAndCharacterOfPosition(node.getStart()).line + 1;
      if (hasProse(parts) && !isName(node)) passages.push({ file, line, language, parts });
      return;
    }
    const own = findLanguage(node) ?? language;
    ts.forEachChild(node, (child) => visit(child, own));
  };
  visit(
    tree,
    LANGUAGES.find((language) => basename(file) === `${language}.ts`),
  );
  return passages;
}

/** Reports whether the strings of a node are for the program: imports, types, names, options and comparisons. */
function isData(node: ts.Node): boolean {
  if (ts.isImportDeclaration(node) || ts.isTypeNode(node) || ts.isNewExpression(node)) return true;
  const { parent } = node;
  if (!ts.isStringLiteralLike(node)) return false;
  if (ts.isPropertyAssignment(parent)) return parent.name === node || parent.name.getText() === 'language';
  return ts.isElementAccessExpression(parent) || (ts.isBinaryExpression(parent) && isComparison(parent));
}

function isComparison({ operatorToken }: ts.BinaryExpression): boolean {
  return [ts.SyntaxKind.EqualsEqualsEqualsToken, ts.SyntaxKind.ExclamationEqualsEqualsToken].includes(
    operatorToken.kind,
  );
}

/** Reports whether a string is an identifier, a path or a URL rather than prose. */
function isName(node: ts.Node): boolean {
  return ts.isStringLiteralLike(node) && /^[a-z0-9/_.:@-]*[/_.:@-][a-z0-9/_.:@-]*$/.test(node.text);
}

function findLanguage(node: ts.Node): Language | undefined {
  if (ts.isPropertyAssignment(node)) {
    const name = ts.isIdentifier(node.name) || ts.isStringLiteral(node.name) ? node.name.text : '';
    return LANGUAGES.find((language) => language === name);
  }
  if (!ts.isObjectLiteralExpression(node)) return undefined;
  const texts = node.properties.map((property) => property.getText());
  return LANGUAGES.find((language) => texts.includes(`language: '${language}'`));
}

function toParts(node: ts.StringLiteralLike | ts.TemplateExpression, language: Language): Passage['parts'] {
  const builder = new PartsBuilder(language);
  if (ts.isStringLiteralLike(node)) {
    builder.addText(node.text);
    return builder.parts;
  }
  builder.addText(node.head.text);
  for (const { expression, literal } of node.templateSpans) {
    addExpression(expression, builder);
    builder.addText(literal.text);
  }
  return builder.parts;
}

/** Adds a value of a template: a choice reads as its last plain text, a count as a number, anything else as a noun. */
function addExpression(expression: ts.Expression, builder: PartsBuilder): void {
  const markup = `\${${expression.getText()}}`;
  const choices = ts.isConditionalExpression(expression) ? [expression.whenTrue, expression.whenFalse] : [];
  const choice = choices.findLast((candidate) => ts.isStringLiteralLike(candidate));
  if (choice) builder.addMarkup(markup, choice.text);
  else if (NUMBERS.test(expression.getText())) builder.addMarkup(markup, '12');
  else builder.addNoun(markup);
}
