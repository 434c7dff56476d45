/** Normalizes a name for comparison: removes differences that people cannot see, or ignore when they enter a name. */
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
