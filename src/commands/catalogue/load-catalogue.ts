import type { Knex } from 'knex';
import { v7 as uuidv7 } from 'uuid';
import { CommandError } from '../command.ts';
import { type CatalogueChanges, compareCatalogue, type CourseChange, type StoredCourse } from './catalogue-changes.ts';
import type { CourseContent, TargetCourse } from './catalogue-file.ts';

const MANAGED = '00000000-0000-0000-0000-000000000000';
/** An arbitrary number, locked while a catalogue is loaded, so that two loads wait for each other. */
const CATALOGUE_LOCK = 7_261_122;
const CONTENT: (keyof CourseContent)[] = [
  ...(['external_id', 'name', 'display_name', 'subject', 'difficulty', 'description', 'duration_minutes'] as const),
  ...(['pass_mark', 'valid_for_months', 'locales', 'localized_names'] as const),
];

type StoredRow = CourseContent & { id: string; type: string; retired_at: Date | null };

/**
 * Changes the managed catalogue to match a file, in one transaction. Returns the changes, line by line.
 * @throws {CommandError} for a file that contradicts the catalogue; nothing is changed then
 */
export async function loadCatalogue(database: Knex, targets: TargetCourse[], dryRun: boolean): Promise<string[]> {
  const transaction = await database.transaction();
  try {
    await transaction.raw('select pg_advisory_xact_lock(?)', [CATALOGUE_LOCK]);
    const comparison = compareCatalogue(await storedCourses(transaction), targets);
    if (comparison.refusals.length > 0) {
      throw new CommandError(['The catalogue is invalid:', ...comparison.refusals].join('\n  '));
    }
    for (const change of comparison.changes) await write(transaction, change);
    await (dryRun ? transaction.rollback() : transaction.commit());
    return [...comparison.changes.map(formatChange), formatSummary(comparison, dryRun)];
  } catch (error) {
    if (!transaction.isCompleted()) await transaction.rollback();
    throw toCatalogueError(error);
  }
}

async function storedCourses(transaction: Knex): Promise<StoredCourse[]> {
  const rows = await transaction('courses')
    .where({ owner_id: MANAGED })
    .select<StoredRow[]>('id', 'type', 'retired_at', ...CONTENT);
  return rows.map(({ id, type, retired_at: retiredAt, ...content }) => {
    return { id, type, retired: retiredAt !== null, content };
  });
}

async function write(transaction: Knex, change: CourseChange): Promise<void> {
  const { content, type, retired } = change.course;
  const now = transaction.fn.now();
  if (change.kind === 'new') {
    const id = change.course.id ?? uuidv7();
    await transaction('courses').insert({ owner_id: MANAGED, id, type, retired_at: retired ? now : null, ...content });
    return;
  }
  const retirement = change.retires === undefined ? {} : { retired_at: change.retires ? now : null };
  await transaction('courses')
    .where({ owner_id: MANAGED, id: change.id })
    .update({ ...content, ...retirement, updated_at: now });
}

function formatChange(change: CourseChange): string {
  const { name } = change.course.content;
  if (change.kind === 'new') return `new       ${name}${change.course.retired ? ' (retired)' : ''}`;
  const { columns, retires } = change;
  const fields = columns.map((column) => column.replace(/_./g, (part) => part[1]!.toUpperCase()));
  if (retires === undefined) return `changed   ${name}: ${fields.join(', ')}`;
  return `${retires ? 'retired   ' : 'restored  '} ${name}${fields.length > 0 ? `: ${fields.join(', ')}` : ''}`;
}

function formatSummary({ changes, unchangedCount, otherCount }: CatalogueChanges, dryRun: boolean): string {
  const made = changes.filter(({ kind }) => kind === 'new').length;
  const counts = `${made} new, ${changes.length - made} changed, ${unchangedCount} unchanged, ${otherCount} not in the file`;
  return dryRun ? `${counts}. Dry run: nothing was written.` : `${counts}.`;
}

/**
 * Converts constraint violations to command errors: an id that belongs to a company's own course, or a second gap
 * analysis.
 */
function toCatalogueError(error: unknown): unknown {
  const { constraint } = error as { constraint?: string };
  if (constraint === 'courses_id_key')
    return new CommandError('The catalogue is invalid: an id in it belongs to a course that a company created.');
  if (constraint !== 'courses_one_gap_analysis') return error;
  return new CommandError('The catalogue is invalid: another gap analysis already exists; update it by its id.');
}
