/** Reports whether two e-mail addresses are equal, ignoring case. */
export function isSameAddress(address: string, other: string | undefined): boolean {
  return address.trim().toLowerCase() === other?.trim().toLowerCase();
}
