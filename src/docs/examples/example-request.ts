import { type ContractDocument, type OperationEntry, resolve } from '../document.ts';
import { firstExample } from '../markdown-parts.ts';

/**
 * The example request of an operation, from which the example in each language is generated. Its ids and its body are
 * the contract's examples, which refer to rows of the demo.
 */
export interface ExampleRequest {
  operationId: string;
  method: string;
  /** The path below the service's URL, with ids. */
  path: string;
  /** The ids in the path, by parameter. */
  ids: Record<string, string>;
  isKeyed: boolean;
  /** Whether the TypeScript client has a method for the operation. Operations that only sources call have none. */
  isInClient: boolean;
  /** Headers that the caller computes, with the environment variable that holds the value. */
  signatures: { header: string; variable: string }[];
  body: { json: unknown } | { file: string; mediaType: string } | undefined;
  /** The file name for a response other than JSON; undefined for JSON. */
  download: string | undefined;
}

export function buildExampleRequest(document: ContractDocument, entry: OperationEntry): ExampleRequest {
  const { method, path, operation } = entry;
  const ids = Object.fromEntries(
    (operation.parameters ?? [])
      .map((given) => resolve(document, given))
      .filter((parameter) => parameter.in === 'path')
      .map((parameter) => [parameter.name, String(firstExample(document, parameter))]),
  );
  const content = resolve(document, operation.responses['200']!).content ?? {};
  return {
    operationId: operation.operationId,
    method,
    path: path.replaceAll(/\{(\w+)\}/g, (_, name: string) => ids[name]!),
    ids,
    isKeyed: operation.security === undefined,
    isInClient: !operation.security?.length,
    signatures: (operation.security ?? []).flatMap((scheme) =>
      Object.keys(scheme).map((name) => {
        const { name: header } = document.components.securitySchemes![name] as { name: string };
        return { header, variable: 'SIGNATURE' };
      }),
    ),
    body: buildBody(document, operation.requestBody),
    download: 'application/pdf' in content ? 'policy.pdf' : 'application/zip' in content ? 'course.zip' : undefined,
  };
}

function buildBody(
  document: ContractDocument,
  requestBody: OperationEntry['operation']['requestBody'],
): ExampleRequest['body'] {
  if (!requestBody) return undefined;
  const { 'application/json': json, 'application/zip': zip } = requestBody.content;
  if (json) return { json: firstExample(document, json) ?? {} };
  return zip
    ? { file: 'course.zip', mediaType: 'application/zip' }
    : { file: 'policy.pdf', mediaType: 'application/pdf' };
}

/** Lists the headers of a request with the expression of each value: a constant, or an environment variable. */
export function listHeaders({ isKeyed, signatures, body }: ExampleRequest): ExampleHeader[] {
  return [
    ...(isKeyed ? [{ name: 'Authorization', prefix: 'Bearer ', variable: 'KEY' }] : []),
    ...signatures.map(({ header, variable }) => ({ name: header, prefix: '', variable })),
    ...(body ? [{ name: 'Content-Type', value: 'json' in body ? 'application/json' : body.mediaType }] : []),
  ];
}

export type ExampleHeader =
  | { name: string; value: string }
  | { name: string; /** Text before the value of the variable. */ prefix: string; variable: string };
