// What rules of others, and programs that call the gate, may rely on.
export { compare, type Comparison, type Rule } from './compare.ts';
export { type GateConfig, readSettings, type Settings, type Surface } from './config.ts';
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
export { atBase, atHead, breaking, compatible, type Finding, type Located, type Verdict } from './findings.ts';
export { git } from './history/git.ts';
export { newestTag } from './history/tags.ts';
export { releaseFiles, type WrittenFile, writeFiles } from './history/write-release.ts';
export { type NormalForm, type NormalOperation, operationsOnBothSides } from './normal/normal-document.ts';
export { membersOf } from './rules/pairs.ts';
