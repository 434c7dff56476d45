import { withPlainSigns } from '../../../mail/messages/link-signs.ts';

/** A variable of a template. */
export type Variable = 'firstName' | 'lastName' | 'companyName' | 'link' | 'qrCode';

/** Records a fault in a field. */
export type ReportFieldFault = (field: string, texts: string) => void;

const PLACE = /\{\{(\w+)\}\}/g;

/** Replaces the variables in a template string. Values are not scanned again, so `{{…}}` within a value stays text. */
export function fillIn(text: string, values: Readonly<Partial<Record<Variable, string>>>): string {
  return text.replace(PLACE, (place, name) => values[name as Variable] ?? place);
}

/** Reports the faults of a string that a mail program shows. */
export function judgeText(field: string, text: string, variables: readonly Variable[], report: ReportFieldFault): void {
  judgeVariables(field, text, variables, report);
  const address = addressIn(text);
  if (address !== undefined) report(field, `has ${address}, which mail programs turn into a link; use only {{link}}`);
  if (BLANK_FOR_SECRET.test(text)) report(field, 'must not have a blank for a secret');
}

/** Reports each variable that a string must not contain. */
export function judgeVariables(
  field: string,
  text: string,
  allowed: readonly Variable[],
  report: ReportFieldFault,
): void {
  const names = allowed.map((variable) => `{{${variable}}}`).join(', ');
  const hint = names === '' ? 'no variables are allowed here' : `the allowed variables are ${names}`;
  const rest = text.replace(PLACE, (place, name) => {
    if (!allowed.some((variable) => variable === name)) report(field, `has ${place}; ${hint}`);
    return 'x';
  });
  if (/\{\{|\}\}/.test(rest)) report(field, `has {{ or }} without a variable; ${hint}`);
}

const ADDRESS =
  /:\/\/|\\\\|(?<![\p{L}\p{N}])(www\.|(callto|file|mailto|news|sip|skype|sms|tel):.)|[^@]@[^@]|[\p{L}\p{N}-]\.\p{L}{2}/iu;
const PDF_NAME = /^[\p{P}]*[\p{L}\p{N}_-]+\.pdf\p{P}*$/iu;

/** Finds a word that mail programs would turn into a link. The file name of a PDF does not count. */
function addressIn(text: string): string | undefined {
  // The value of a variable counts as letters: `evil.` before it, or `.example` after it, would form a domain.
  const texts = withPlainSigns(text).replace(PLACE, 'xx').split(/\s+/);
  return texts.find((word) => ADDRESS.test(word) && !PDF_NAME.test(word));
}

const SECRET = '(?<!\\p{L})(password|passcode|passwort|kennwort|mot de passe|pin|tan)[^\\S\\n]*:[^\\S\\n]*';
/**
 * Pattern of a blank in which readers would send back a secret: `Password: ____`, or the secret's name at the end of a
 * line.
 */
const BLANK_FOR_SECRET = new RegExp(`${SECRET}[_.…-]{2}|^[^\\S\\n]*(\\p{L}+ )?${SECRET}$`, 'imu');
