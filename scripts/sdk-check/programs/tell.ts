import { openAsBlob } from 'node:fs';

/** Inputs of every program, from the environment. */
export const { SERVICE_URL, SERVICE_KEY, PDF_FILE, LEARNER_ID, EMAIL } = process.env as Record<string, string>;

/** The rows of `POST /learners/bulk`: one to create, and one that the service rejects. */
export const rows = [
  { email: EMAIL!, firstName: 'Ada', lastName: 'Byron' },
  { email: 'ada@gmail.com', firstName: 'Ada', lastName: 'Byron' },
];

export async function pdf(): Promise<File> {
  return new File([await openAsBlob(PDF_FILE!)], 'acceptable-use.pdf', { type: 'application/pdf' });
}

/** Makes the calls one after the other, and prints the result or the error of each. */
export async function tell(calls: Record<string, () => Promise<string>>): Promise<void> {
  for (const [name, call] of Object.entries(calls)) {
    const words = await call().catch((error: Error) => `! ${error.message}`);
    console.log(`${name}: ${words.split('\n').join(' ')}`);
  }
}

export function list(policies: { category: string | null }[]): string {
  return `${policies.length} policies, ${policies.filter(({ category }) => category === null).length} uncategorised`;
}

interface Report {
  summary: { passedCount: number; averageScore: number | null };
  rows: { grade: 'pass' | 'fail' | null }[];
}

export function report({ summary, rows }: Report): string {
  const ungraded = rows.filter(({ grade }) => grade === null).length;
  return `${rows.length} rows, ${ungraded} ungraded, ${summary.passedCount} passed, ${summary.averageScore?.toFixed(2)}`;
}

/** The error of a call. It can be void for generators that count a 304, which has no body, among the errors. */
interface Failure {
  error: { code: string; details: { field: string }[] };
}

export function missing(failure: Failure | void): string {
  const { error } = failure!;
  return `${error.code}, ${error.details.length} details`;
}

export function bulk({ success, errors }: { success: boolean; errors: { index: number; code: string }[] }): string {
  return `${success}, ${errors.map(({ index, code }) => `${index} ${code}`).join(', ')}`;
}

export function newer(failure: Failure | void, simulations: { status: string }[]): string {
  const { error } = failure!;
  return `${error.code}, ${simulations[0]!.status}`;
}
