/** Maximum depth of nested lists, quotes and collections. The deepest structure in our courses has seven levels. */
const MAX_DEPTH = 30;

const YAML_INDICATORS = /(?:[-?:][ \t]+){30}/;
const MARKDOWN_MARKERS = /^[ \t]*(?:>[ \t]*|(?:[-*+]|\d{1,9}[.)])[ \t]+){30}/m;

/**
 * Reports whether a YAML file might be so deeply nested that its parser would block the process for minutes. The
 * parser's time is quadratic or worse in the depth.
 */
export function isYamlTooDeep(text: string): boolean {
  let depth = 0;
  for (const [bracket] of text.matchAll(/[[\]{}]/g)) {
    depth = bracket === '[' || bracket === '{' ? depth + 1 : Math.max(depth - 1, 0);
    if (depth > MAX_DEPTH) return true;
  }
  return YAML_INDICATORS.test(text);
}

/** Reports whether a line of Markdown begins with so many markers that the parser would exhaust the stack. */
export function isMarkdownTooDeep(text: string): boolean {
  return MARKDOWN_MARKERS.test(text);
}
