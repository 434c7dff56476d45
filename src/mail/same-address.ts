/** Reports whether two e-mail addresses are the same, in upper or lower case. */
export function isSameAddress(address: string, other: string | undefined): boolean {
  return address.trim().toLowerCase() === other?.trim().toLowerCase();
}
