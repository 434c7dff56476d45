/** Parts of the bundled contract that the documentation reads. */
export interface ContractDocument {
  info: { title: string; version: string; summary: string; description: string };
  tags: { name: string; description: string }[];
  paths: Record<string, Record<string, Operation>>;
  /** The webhooks, by event type. */
  webhooks: Record<string, Webhook>;
  components: Record<string, Record<string, unknown>>;
}

export interface Operation {
  operationId: string;
  tags: string[];
  summary: string;
  description: string;
  parameters?: (Parameter | Ref)[];
  requestBody?: { required?: boolean; content: Record<string, MediaType> };
  responses: Record<string, Response | Ref>;
  security?: Record<string, unknown>[];
  deprecated?: boolean;
  'x-account-kinds'?: string[];
  'x-scope'?: string;
  'x-module'?: string;
  'x-recent-sign-in'?: boolean;
  'x-mcp': { tool?: string };
}

export interface Webhook {
  post: { description: string; requestBody: { content: Record<string, MediaType> } };
}

export interface Parameter {
  name: string;
  in: string;
  required?: boolean;
  description?: string;
  schema: Schema | Ref;
  examples?: MediaType['examples'];
  deprecated?: boolean;
}

export interface Response {
  description: string;
  headers?: Record<string, unknown>;
  content?: Record<string, MediaType>;
}

export interface MediaType {
  schema: Schema | Ref;
  examples?: Record<string, { value?: unknown } | Ref>;
}

export interface Schema {
  type?: string | string[];
  description?: string;
  format?: string;
  enum?: unknown[];
  /** The known values of an open enumeration. */
  'x-extensible-enum'?: unknown[];
  const?: unknown;
  default?: unknown;
  minimum?: number;
  maximum?: number;
  minLength?: number;
  maxLength?: number;
  minItems?: number;
  maxItems?: number;
  items?: Schema | Ref;
  required?: string[];
  properties?: Record<string, Schema | Ref>;
  oneOf?: (Schema | Ref)[];
  deprecated?: boolean;
}

export interface Ref {
  $ref: string;
}

/** Resolves a reference. Returns any other value unchanged. */
export function resolve<T extends object>(document: ContractDocument, value: T | Ref): T {
  if (!('$ref' in value)) return value;
  const [kind, name] = value.$ref.slice('#/components/'.length).split('/');
  return document.components[kind!]![name!] as T;
}

export interface OperationEntry {
  method: string;
  path: string;
  operation: Operation;
}

const METHODS = ['get', 'put', 'post', 'delete', 'patch'];

/** Lists every operation, in the order of the contract. */
export function listOperations({ paths }: ContractDocument): OperationEntry[] {
  return Object.entries(paths).flatMap(([path, item]) =>
    METHODS.filter((method) => method in item).map((method) => ({
      method: method.toUpperCase(),
      path: `/v1${path}`,
      operation: item[method]!,
    })),
  );
}
