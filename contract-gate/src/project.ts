// Functions for programs that release a project, and the types of its settings.
export { type GateConfig, readSettings, type Settings, type Surface } from './config.ts';
export { git } from './history/git.ts';
export { newestTag } from './history/tags.ts';
export { releaseFiles, type WrittenFile, writeFiles } from './history/write-release.ts';
