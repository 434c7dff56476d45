// What rules of others, and programs that call the gate, may rely on.
export type { GateConfig } from './config.ts';
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
  parametersOf,
  resolve,
  resolved,
  text,
} from './document.ts';
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
export { membersOf } from './rules/pairs.ts';
