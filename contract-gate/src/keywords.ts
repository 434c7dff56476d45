/**
 * Keywords, by kind of object, that a rule judges or that promise nothing to callers. The linter of this service
 * rejects any other keyword, and the gate reports changes of other keywords as not judged. The keywords that OpenAPI
 * 3.2 added are missing here, except for texts.
 */
export const judgedKeywords = keywordSets({
  Root: 'openapi info servers paths webhooks components security tags externalDocs',
  PathItem: '$ref summary description parameters get put post delete options head patch trace',
  Operation: 'tags summary description externalDocs operationId parameters requestBody responses deprecated security',
  Parameter:
    'name in description required deprecated allowEmptyValue style explode allowReserved schema content example examples',
  Header: 'description required deprecated style explode schema content example examples',
  RequestBody: 'description content required',
  Response: 'summary description headers content',
  MediaType: 'schema encoding description example examples',
  Encoding: 'contentType headers style explode allowReserved',
  Server: 'url name description variables',
  ServerVariable: 'enum default description',
  SecurityScheme: 'type description name in scheme bearerFormat flows openIdConnectUrl deprecated',
  OAuth2Flows: 'implicit password clientCredentials authorizationCode',
  OAuth2Flow: 'authorizationUrl tokenUrl refreshUrl scopes',
  Tag: 'name summary description externalDocs',
  Discriminator: 'propertyName mapping',
  Schema: [
    'type enum const format pattern multipleOf minimum maximum exclusiveMinimum exclusiveMaximum minLength maxLength',
    'items minItems maxItems uniqueItems properties required additionalProperties minProperties maxProperties',
    'allOf oneOf anyOf discriminator default readOnly writeOnly contentEncoding contentMediaType contentSchema',
    '$ref $defs $schema $id $anchor $dynamicAnchor $comment $vocabulary',
    'nullable title description example examples externalDocs deprecated',
  ].join(' '),
});

export type ObjectKind = keyof typeof judgedKeywords;

/**
 * Returns the keywords of an object that no rule judges, except for extensions (`x-…`), which the gate does not know.
 */
export function unjudgedKeywords(kind: ObjectKind, holder: object): string[] {
  return Object.keys(holder).filter((keyword) => !judgedKeywords[kind].has(keyword) && !keyword.startsWith('x-'));
}

function keywordSets<Kind extends string>(texts: Record<Kind, string>): Record<Kind, Set<string>> {
  const entries = Object.entries<string>(texts).map(([kind, text]) => [kind, new Set(text.split(' '))] as const);
  return Object.fromEntries(entries) as Record<Kind, Set<string>>;
}
