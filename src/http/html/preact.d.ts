/**
 * The parts of preact that the service uses. Preact's own types would bring the DOM's types into the whole
 * service, so `tsconfig.json` maps preact to this file.
 */
export interface VNode<P = unknown> {
  readonly type: string;
  readonly props: P;
}

export function h(type: string, props: object | null, ...children: unknown[]): VNode;
