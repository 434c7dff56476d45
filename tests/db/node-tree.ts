// Parses the parse tree of a statement: the text of a `pg_node_tree`, as `nodeToString` writes it.

/** A node such as `OPEXPR` with its fields, a list of trees, or a word of the text. */
export type Tree = TreeNode | Tree[] | string;
export interface TreeNode {
  name: string;
  fields: Map<string, Tree>;
}

export function readTree(text: string): Tree {
  const tokens = text.match(/[(){}]|(?:\\.|[^\s(){}\\])+/gs) ?? [];
  let at = 0;
  const read = (): Tree => {
    const token = tokens[at++]!;
    if (token === '(') return readUntil(')');
    if (token !== '{') return token;
    const name = tokens[at++]!;
    const fields = new Map<string, Tree>();
    while (tokens[at] !== '}') fields.set(tokens[at++]!.slice(1), readField());
    at += 1;
    return { name, fields };
  };
  const readUntil = (end: string): Tree[] => {
    const items: Tree[] = [];
    while (tokens[at] !== end) items.push(read());
    at += 1;
    return items;
  };
  /** Reads one field; a constant consists of several words. */
  const readField = (): Tree => {
    const values: Tree[] = [];
    while (tokens[at] !== '}' && !tokens[at]!.startsWith(':')) values.push(read());
    return values.length === 1 ? values[0]! : values;
  };
  return read();
}

/** Returns all nodes in a tree, including its root. */
export function nodesIn(tree: Tree | undefined): TreeNode[] {
  if (tree === undefined || typeof tree === 'string') return [];
  if (Array.isArray(tree)) return tree.flatMap(nodesIn);
  return [tree, ...[...tree.fields.values()].flatMap(nodesIn)];
}
