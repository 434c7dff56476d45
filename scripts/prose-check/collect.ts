import { readFileSync, globSync } from 'node:fs';
import { join } from 'node:path';
import { contractPassages } from './contract.ts';
import { yamlPassages } from './content.ts';
import { markdownPassages } from './markdown.ts';
import { messagePassages } from './messages.ts';
import type { Passage } from './passages.ts';
import { LANGUAGES } from '../../src/contract/languages.ts';

type Read = (file: string, source: string) => Passage[];

/** The files with prose, and how each is read. */
const SOURCES: readonly { files: string[]; read: Read }[] = [
  {
    files: ['generated/openapi.json', 'generated/scim.json'],
    read: (file, source) => contractPassages(file, JSON.parse(source)),
  },
  {
    files: ['README.md', 'CHANGELOG.md', 'CONTRIBUTING.md', 'docs/**/*.md'],
    read: (file, source) => markdownPassages(source, { file, line: 1, language: 'en' }),
  },
  { files: ['src/**/*-messages.ts', 'src/mail/wording/??.ts', 'seeds/demo-texts.ts'], read: messagePassages },
  { files: ['content/**/*.yaml'], read: yamlPassages },
  {
    files: ['content/**/*.md'],
    read: (file, source) => {
      const language = LANGUAGES.find((candidate) => file.split('/').includes(candidate));
      return language ? markdownPassages(source, { file, line: 1, language }) : [];
    },
  },
];

/**
 * Returns the passages of files whose paths start with one of the given paths; if none are given, all passages of the
 * repository. A passage that appears several times is returned once, at its first place.
 */
export function collectPassages(root: string, paths: readonly string[]): Passage[] {
  const passages = SOURCES.flatMap(({ files, read }) =>
    globSync(files, { cwd: root })
      .filter((file) => paths.length === 0 || paths.some((path) => file.startsWith(path)))
      .sort()
      .flatMap((file) => read(file, readFileSync(join(root, file), 'utf8'))),
  );
  const keyOf = ({ language, parts }: Passage) => JSON.stringify([language, parts]);
  // In a Map, the last entry of a key wins, so the passages are added in reverse order.
  return [...new Map(passages.reverse().map((passage) => [keyOf(passage), passage])).values()].reverse();
}
