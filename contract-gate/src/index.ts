// The comparison of two documents, for custom rules and for programs that show changes. It reads no files.
export { compare, type Comparison, type Options, type Rule } from './compare.ts';
export {
  at,
  child,
  closeExtensibleEnums,
  type FoundOperation,
  type Json,
  type JsonObject,
  list,
  object,
  operationsAndWebhooksIn,
  operationsIn,
  listParameters as parametersOf,
  resolve,
  resolved,
  text,
} from './document.ts';
export type { Artefact, ReleasedSurface } from './history/artefact.ts';
export {
  atBase,
  atHead,
  breaking,
  breakingSdks,
  compatible,
  type Finding,
  type Located,
  type NotJudged,
  type Verdict,
} from './findings.ts';
export { judgedKeywords, type ObjectKind, unjudgedKeywords } from './keywords.ts';
export { type NormalForm, type NormalOperation, operationsOnBothSides } from './normal/normal-document.ts';
export { hasAllAstral } from './normal/character-set.ts';
export { normalNode, normalPattern } from './normal/normal-pattern.ts';
export { parsePattern, type PatternNode, UnsupportedPattern } from './normal/parse-pattern.ts';
export { pairMembers as membersOf } from './rules/pairs.ts';
