import type { Site } from '../../src/docs/site.ts';

/** The documentation of a service that serves none. */
export const NO_SITE: Site = {
  files: new Map(),
  frame: { assets: { style: '', icon: '', script: '', rank: '' }, service: { name: '', version: '' } },
};
