/**
 * What we use of preact. Its own types bring those of browsers along, which then count for the whole service: so
 * `tsconfig.json` has these in their place.
 */
export interface VNode<P = unknown> {
  readonly type: string;
  readonly props: P;
}

export function h(type: string, props: object | null, ...children: unknown[]): VNode;
