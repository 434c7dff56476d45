interface Recipient {
  name: string;
  email: string;
}

/**
 * Parses people who were entered one per line, as a name and an e-mail address. A line without an address yields an
 * empty one.
 */
export function parseRecipients(text: string): Recipient[] {
  return text.split(/\r?\n/).flatMap((line) => {
    const entry = line.trim();
    if (entry === '') return [];
    const [, name = entry, email = ''] = /^(.*?)[\s,;]*<?([^\s<>,;]+@[^\s<>,;]+)>?[,;]?$/.exec(entry) ?? [];
    return [{ name: name.trim(), email }];
  });
}

/** Formats people for the field that `parseRecipients` reads. */
export function formatRecipients(recipients: readonly Recipient[]): string {
  return recipients.map(({ name, email }) => `${name} <${email}>`).join('\n');
}
