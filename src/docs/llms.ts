import type { TextPage } from './text-page.ts';

/** Renders the index of all pages for AI clients: https://llmstxt.org */
export function llmsIndex({
  name,
  summary,
  written,
  generated,
}: {
  name: string;
  summary: string;
  written: TextPage[];
  generated: TextPage[];
}): string {
  const line = ({ path, title, description }: TextPage) => `- [${title}](${path}.md): ${description}`;
  return `# ${name}

> ${summary}

Append .md to the address of a page under /docs to get it as Markdown. [/docs/llms-full.txt](/docs/llms-full.txt) has all pages in one file.

## Guides

${written.map(line).join('\n')}

## Reference

${generated.map(line).join('\n')}
- [OpenAPI document, JSON](/v1/openapi.json): the exact schemas
- [OpenAPI document, YAML](/v1/openapi.yaml): the same document
`;
}

export function llmsFull(pages: TextPage[]): string {
  return pages.map(({ path, markdown }) => `<!-- ${path}.md -->\n\n${markdown}`).join('\n\n');
}
