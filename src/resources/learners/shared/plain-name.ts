/** A name without what people do not see or do not care about when they type it: two that differ in no more are the same. */
export function plainName(name: string): string {
  return name
    .replace(/[‘’ʼ`´]/gu, "'")
    .normalize('NFKC')
    .replace(/\p{Default_Ignorable_Code_Point}/gu, '')
    .replace(/\p{Pd}/gu, '-')
    .replace(/\s+/gu, ' ')
    .trim()
    .toLowerCase();
}
