/** A filter as RFC 7644 defines it (section 3.4.2.2). Attribute names are in lower case. */
export type ValueFilter =
  | { kind: 'compare'; attribute: string; operator: Operator; value: FilterValue }
  | { kind: 'and' | 'or'; filters: ValueFilter[] }
  | { kind: 'not'; filter: ValueFilter };

export const OPERATORS = ['eq', 'ne', 'co', 'sw', 'ew', 'pr', 'gt', 'ge', 'lt', 'le'] as const;
export type Operator = (typeof OPERATORS)[number];
export type FilterValue = string | boolean | null;

/** One value of a multi-valued attribute, such as an address with its type. */
export type FilteredItem = Readonly<Record<string, string | boolean | undefined>>;

const TESTS: Record<Operator, (own: string, value: string) => boolean> = {
  eq: (own, value) => own === value,
  ne: (own, value) => own !== value,
  co: (own, value) => own.includes(value),
  sw: (own, value) => own.startsWith(value),
  ew: (own, value) => own.endsWith(value),
  pr: (own) => own !== '',
  gt: (own, value) => own > value,
  ge: (own, value) => own >= value,
  lt: (own, value) => own < value,
  le: (own, value) => own <= value,
};

/**
 * Reports whether an item matches a filter. Strings are compared case-insensitively. The string `"True"` equals the
 * boolean true, because Entra writes booleans that way. An attribute without a value equals only null.
 */
export function matchesFilter(filter: ValueFilter, item: FilteredItem): boolean {
  if (filter.kind === 'not') return !matchesFilter(filter.filter, item);
  if (filter.kind !== 'compare') {
    const matches = (one: ValueFilter) => matchesFilter(one, item);
    return filter.kind === 'and' ? filter.filters.every(matches) : filter.filters.some(matches);
  }
  const { attribute, operator, value } = filter;
  const own = Object.hasOwn(item, attribute) ? (item[attribute] ?? null) : null;
  if (own !== null && (value !== null || operator === 'pr'))
    return TESTS[operator](String(own).toLowerCase(), String(value).toLowerCase());
  return operator === 'ne' ? own !== value : operator === 'eq' && own === value;
}

/** Returns all comparisons in a filter, at any depth. */
export function comparisonsIn(filter: ValueFilter): Extract<ValueFilter, { kind: 'compare' }>[] {
  if (filter.kind === 'compare') return [filter];
  return filter.kind === 'not' ? comparisonsIn(filter.filter) : filter.filters.flatMap(comparisonsIn);
}

/** Returns the values that attributes must equal (`eq`) in every item that matches the filter, by attribute. */
export function equalitiesIn(filter: ValueFilter): Record<string, FilterValue> {
  if (filter.kind === 'and')
    return Object.assign({}, ...filter.filters.map(equalitiesIn)) as Record<string, FilterValue>;
  return filter.kind === 'compare' && filter.operator === 'eq' ? { [filter.attribute]: filter.value } : {};
}
