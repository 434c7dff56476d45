/** Normalizes a name for comparison, without differences that people do not see or ignore when they type it. */
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
