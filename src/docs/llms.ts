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

Every page under /docs has a twin in Markdown at the same address with .md. All of them in one file: [/docs/llms-full.txt](/docs/llms-full.txt).

## Guides

${written.map(line).join('\n')}

## Reference

${generated.map(line).join('\n')}
- [OpenAPI document, JSON](/v1/openapi.json): the authority for exact schemas
- [OpenAPI document, YAML](/v1/openapi.yaml): the same
`;
}

export function llmsFull(pages: TextPage[]): string {
  return pages.map(({ path, markdown }) => `<!-- ${path}.md -->\n\n${markdown}`).join('\n\n');
}
